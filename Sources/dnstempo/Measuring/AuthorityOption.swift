import ArgumentParser
import Transports

/// Whose signature makes a certificate one to trust.
struct AuthorityOption: ParsableArguments {
    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp(
            "Trust the certificates signed by those in this file. (default: the system's)",
            valueName: "file"
        ),
        completion: .file(extensions: ["pem", "crt"])
    )
    var file: String?

    /// What certificates are held against, or nothing at all for `anybody`.
    func credentials(
        pins: Set<[UInt8]> = [],
        anybody: Bool = false
    ) throws(Failure) -> TLSCredentials {
        let trust = anybody ? .anybody : file.map { TLSCredentials.Trust.file($0) } ?? .system
        do {
            return try TLSCredentials(trust, pins: pins)
        } catch {
            throw Failure(file == nil ? .configuration : .noInput, error.reason)
        }
    }
}
