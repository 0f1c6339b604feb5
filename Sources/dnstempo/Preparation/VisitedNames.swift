import BrowserHistory
import DNSWire
import Reports

/// Names to ask for out of the user's own browser history, which the user agreed to.
struct VisitedNames {
    private let history: BrowserHistory

    private let count: Int

    /// Names of a run that asks them again and again.
    static let usualCount = 10

    /// Finds the history, and has the user agree: on a terminal, or by --yes.
    init(_ source: String, count: Int = usualCount, isAgreed: Bool) throws {
        self.count = count
        history = try BrowserHistory(
            source,
            environment: Environment.variables("HOME", "XDG_CONFIG_HOME")
        )
        if !isAgreed { try Self.ask(history.path, count) }
    }

    private static func ask(_ path: String, _ count: Int) throws(Failure) {
        let terminals = Terminal.standard
        guard terminals[0].isTerminal, Terminal.error.isTerminal else {
            throw Failure.usage(
                "--domains-from reads your browser's history: without a terminal to ask you on, "
                    + "add --yes"
            )
        }
        let question = """
            The \(count) names that you visited most, such as example.org, are read out of
            '\(EscapedText.terminal(path))'.
            They are sent to the resolvers as DNS queries, and kept with the results.
            Nothing else of your history is kept or sent. Go on? [y/N]\u{20}
            """
        try? Terminal.error.write(question)
        let answer = readLine()?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else {
            throw Failure.usage("your history was not read; name domains with --domain")
        }
    }

    /// The names. An interruption meanwhile leaves nothing of the copy behind.
    func read() async throws -> [String] {
        let folder = Environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let reading = await Signals.whileRunning {
            Task { [history, count] in
                try history.registeredNames(most: count, copyIn: folder) {
                    (try? DomainName($0)) != nil
                }
            }
        }
        let names = try await reading.value
        if reading.isCancelled { throw Failure(.interrupted, "") }
        return names
    }
}
