import Analysis
import Catalogue
import DNSWire
import Failures
import Files
import Processes
import Reports
import Runs
import Samples
import Store

/// A web service that gets notices.
struct WebNoticeRecipient: NoticeReceiver {
    private let form: NoticeForm
    private let address: WebAddress
    private let outbox: NoticeOutbox

    /// Reads `FORM=URL`, `FORM=@FILE`, or either without a form, which means JSON. A file has the URL in its
    /// first line, and may have a bearer token in its second line. Throws if the service, or the look-up of
    /// its name, is outside the allowed networks.
    init(_ word: String, within allowed: AllowedNetworks) throws {
        let (form, place) = try Self.parts(of: word)
        let (url, token) =
            try place.hasPrefix("@")
            ? InputFile.pair(
                String(place.dropFirst()),
                "the URL",
                "a token",
                where: Receiver.isToken
            ) : (place, nil)
        address = try WebAddress(
            parsing: url,
            of: "a receiver of notices",
            example: "https://ntfy.example/topic",
            secrets: "and write the URL and a token into a file for --notify-url @FILE"
        )
        self.form = form
        guard let target = form.target(of: address.url) else {
            throw Failure.usage(
                "--notify-url: '\(address.place)' needs a topic: write ntfy=https://HOST/TOPIC"
            )
        }
        let receiver = Receiver(
            address,
            token: token,
            kind: "receiver of notices",
            option: "--notify-url",
            within: allowed
        )
        try receiver.check()
        let digest = SHA256.hash(Array(address.url.utf8)).prefix(8).hexadecimal
        outbox = NoticeOutbox(
            "--notify-url: \(form.rawValue) at \(address.place)",
            // The URL may be a secret, and stores are copied.
            key: "\(form.rawValue) \(digest)",
            target,
            receiver
        )
    }

    /// The word in a form that does not depend on the current folder.
    static func absolute(_ word: String) throws -> String {
        let (form, place) = try parts(of: word)
        guard place.hasPrefix("@") else { return word }
        return "\(form.rawValue)=@\(try AbsolutePath.of(String(place.dropFirst())))"
    }

    private static func parts(of word: String) throws(Failure) -> (NoticeForm, place: String) {
        if let form = NoticeForm.allCases.first(where: { word.hasPrefix("\($0.rawValue)=") }) {
            return (form, String(word.dropFirst(form.rawValue.count + 1)))
        }
        guard word.hasPrefix("@") || word.hasPrefix("http://") || word.hasPrefix("https://") else {
            let forms = NoticeForm.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.usage(
                "--notify-url '\(word)': write a URL, FORM=URL or FORM=@FILE; FORM is one of \(forms)"
            )
        }
        return (.json, word)
    }

    func tell(
        _ notices: [Notice],
        from vantage: String,
        now: Timestamp,
        on clock: LocalClock,
        in store: Store
    ) async throws(Failure) {
        for notice in notices {
            let message = NoticeMessage(
                notice,
                vantage: vantage,
                now: now,
                clock: clock,
                toolVersion: Version.text
            )
            try outbox.add(
                message.body(form, for: address.url),
                of: message.event,
                now: now,
                in: store
            )
        }
    }

    func deliver(_ attempt: RoundFollower.Attempt) async throws {
        try await outbox.deliver(attempt)
    }
}
