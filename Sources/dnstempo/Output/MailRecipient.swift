import Failures
import Processes
import Reports

/// A recipient of mail, which the program `sendmail` of this machine delivers.
struct MailRecipient {
    private let address: String
    private let program: String

    private static let limit = Duration.seconds(60)
    /// Places of the program that cron's `PATH` lacks.
    private static let usualPaths = ["/usr/sbin/sendmail", "/usr/lib/sendmail"]

    /// Throws if `address` is not one address, or if this machine has no program for mail.
    init(_ address: String) throws(Failure) {
        let isWord = address.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isWord, !address.isEmpty, address.utf8.count <= 254, !address.hasPrefix("-"),
            !address.contains(where: { ",;<>()[]\\\"".contains($0) })
        else {
            throw .usage("--mail: '\(address)' is not one address; write you@example.com")
        }
        let named = try AbsolutePath.ofProgram("sendmail")
        guard let program = named ?? Self.usualPaths.first(where: AbsolutePath.isProgram) else {
            throw .usage(
                "--mail: there is no program 'sendmail'; install one, such as Debian's msmtp-mta or "
                    + "postfix, or leave out --mail and let cron mail the output"
            )
        }
        (self.address, self.program) = (address, program)
    }

    func send(_ document: Document, subject: String) async throws {
        let message = MailMessage(document, subject: subject, to: address)
        // -i: a line with a single dot does not end the message.
        let output = try await ChildProgram.run(
            [program, "-i", address],
            input: Array(message.text.utf8),
            environment: Environment.all,
            limit: Self.limit
        )
        guard let output, output.code == 0 else {
            let reason = output.map { $0.message } ?? "it is gone"
            throw Failure(.inputOutput, "--mail: '\(program)' did not take the mail: \(reason)")
        }
    }
}
