import BrowserHistory
import Catalogue
import DNSWire
import Failures
import LibC
import Processes
import Samples
import Statistics

/// The names to query from the user's own browser history, with the user's consent.
struct VisitedNames {
    /// The choice of the names to query.
    enum Choice {
        /// The ten most visited names.
        case most
        /// This number of names, drawn by a seed in proportion to the days with visits. Names
        /// visited in the last day are excluded, because the user's visits put them into the cache
        /// of the resolver in use.
        case drawn(Int, seed: UInt64)
    }

    private let history: BrowserHistory
    private let choice: Choice

    private static let most = 10

    /// Finds the history without reading it.
    init(_ source: String, _ choice: Choice = .most) throws {
        self.choice = choice
        history = try BrowserHistory(
            source,
            environment: Environment.variables("HOME", "XDG_CONFIG_HOME")
        )
    }

    /// Asks the user for consent.
    func ask(_ console: any RunConsole) throws(Failure) {
        let names =
            switch choice {
            case .most: "The \(Self.most) names that you visited most"
            case .drawn(let count, _): "Up to \(count) names that you visited"
            }
        let others =
            history.otherPaths.isEmpty
            ? "" : ",\nor, where that has no visits, of the profile used before it"
        let question = """
            \(names), such as example.org, are read out of
            '\(EscapedText.terminal(history.path))'\(others).
            They are sent to the resolvers as DNS queries, and kept with the results.
            Nothing else of your history is kept or sent. Go on? [y/N]\u{20}
            """
        guard let agrees = console.agrees(to: question) else {
            throw Failure.usage(
                "--domains-from reads your browser's history: without a terminal to ask you on, "
                    + "add --yes"
            )
        }
        guard agrees else {
            throw Failure.usage("your history was not read; name domains with --domain")
        }
    }

    /// The names. An interruption during the reading leaves no copy behind.
    func read() async throws -> [String] {
        let folder = Environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let reading = await Signals.whileRunning {
            Task { [history] in
                try history.visitedNames(copyIn: folder) { (try? DomainName($0)) != nil }
            }
        }
        if reading.isCancelled { throw Failure(.interrupted, "") }
        let names = try await reading.value
        switch choice {
        case .most: return names.prefix(Self.most).map(\.name)
        case .drawn(let count, let seed): return try Self.draw(count, of: names, seed: seed)
        }
    }

    /// Draws without replacement (Efraimidis & Spirakis 2006).
    private static func draw(
        _ count: Int,
        of names: [VisitedName],
        seed: UInt64
    ) throws(Failure) -> [String] {
        let yesterday = Timestamp.now.nanoseconds / 1_000_000_000 - 86_400
        let older = names.filter { ($0.last ?? 0) <= yesterday }
        guard !older.isEmpty else {
            throw Failure.usage(
                "--domains-from: all \(names.count.counted("name")) of the history were visited in the "
                    + "last 24 hours, and may be in the caches; give a list with --domains"
            )
        }
        var random = RandomSequence(seed: seed, part: .max)
        let keyed = older.map { name in
            (key: log(max(random.nextFraction(), 1e-300)) / Double(name.days), name: name.name)
        }
        return keyed.sorted { $0.key > $1.key }.prefix(count).map(\.name)
    }
}
