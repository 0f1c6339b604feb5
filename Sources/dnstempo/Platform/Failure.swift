import ArgumentParser
import Catalogue
import Failures

extension Failure {
    /// The error for an invalid value of `option`. It names the nearest valid value, or gives `advice`.
    static func unknown(
        _ word: String,
        of option: String,
        among known: some Sequence<String>,
        else advice: String
    ) -> Failure {
        let near = NearestName.advice(for: word, among: known)
        return usage("\(option): unknown value '\(word)': \(near ?? advice)")
    }

    /// The exit status and the message of any error, of the modules or of the parser.
    init(describing error: any Error) {
        if let error = error as? any ExitStatusError {
            self.init(error)
        } else {
            self.init(.usage, Self.line(of: error))
        }
    }

    /// The parser's own message without the usage below it, with a reference to the help.
    private static func line(of error: any Error) -> String {
        let message = Dnstempo.message(for: error)
            .split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
            .joined(separator: " ")
        return message.hasSuffix("?") || message.contains("--help")
            ? String(message) : "\(message) (see --help)"
    }
}
