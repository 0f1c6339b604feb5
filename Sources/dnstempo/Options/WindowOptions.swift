import ArgumentParser
import Catalogue
import Failures
import Processes
import Reports
import Runs
import Samples

struct WindowOptions: ParsableArguments {
    @Argument(
        help: """
            Stores (.sqlite) read as one, or samples files (.csv, .jsonl; .json of RIPE Atlas). \
            (default: your store)
            """,
        completion: .file()
    )
    var file: [String] = []

    @Option(
        help: """
            Beginning: 7d, 36h, 2w, 2mo or 1y (ago), 2026-05-01, 2026-05-01T14:30 or with Z. \
            (default: 7d; samples files and export: all)
            """.naming("moment")
    )
    var since: String?

    @Option(help: "End, written as --since is.".naming("moment"))
    var until = "now"

    @Option(
        help: """
            Rounds of sample, watch, compare, import, or all. (default: sample,watch; if there are \
            none, all; export, plan: all)
            """.naming("list"),
        completion: .origins
    )
    var origin: String?

    @Option(help: "Only this resolver; repeatable.".naming("label"))
    var resolver: [String] = []

    @Option(
        help: "Only this transport; repeatable.".naming("transport"),
        completion: .list(TransportKind.allCases.map(\.rawValue))
    )
    var transport: [String] = []

    @Option(help: "Only this query name; repeatable.".naming("name"))
    var name: [String] = []

    @Option(help: "Only this vantage point; repeatable.".naming("vantage"))
    var vantage: [String] = []

    @Option(help: "Only answers of this site; repeatable.".naming("site"))
    var site: [String] = []

    @OptionGroup var named: NamedStore
    @OptionGroup var without: LeftOutOption

    mutating func validate() {
        JoinedWords.split(&file)
        JoinedWords.split(&resolver)
        JoinedWords.split(&name)
    }

    /// The window by this system's clock. Without --since, it covers the `last` duration before its end.
    /// Without `last`, it covers all of `span` (the time span of samples files). The default is 7 days.
    func window(
        span: ClosedRange<Timestamp>? = nil,
        last length: Duration? = nil
    ) throws -> WindowContext {
        var context = try WindowContext(
            since: since,
            until: until,
            span: span,
            last: length,
            now: .now,
            toolVersion: Version.text
        )
        context.selection =
            unseen.filter { !$0.words.isEmpty }
            .map { "\($0.phrase) \(EscapedText.terminal($0.words.listed))" }
            .joined(separator: " ")
        return context
    }

    /// Options that exclude measurements without a trace in tables of resolvers, each with its phrase for a
    /// sentence.
    private var unseen: [(phrase: String, words: [String])] {
        [("over", transport), ("for", name), ("from", vantage), ("answered by site", site)]
    }

    /// The input files, or the address of a central store.
    var inputs: [String] {
        get throws {
            let files = file.filter { !AbsolutePath.isMissing($0) }
            return files.isEmpty ? [try named.pathOrURL()] : files
        }
    }

    /// Whether any measurements are excluded.
    var isLimited: Bool { !resolver.isEmpty || unseen.contains { !$0.words.isEmpty } }
}

struct PrecisionOption: ParsableArguments {
    @Flag(help: "Read samples, not hourly sums, in windows over 8 days too.")
    var exact = false
}

extension WindowOptions {
    /// The window, with an open start or end where none was given.
    func openWindow() throws -> Range<Timestamp> {
        if since != nil { return try window().window }
        let end = until == "now" ? nil : try window().window.upperBound
        return Timestamp(nanoseconds: .min)..<(end ?? Timestamp(nanoseconds: .max))
    }
}

extension Run.Origin {
    /// The origins in the value of --origin, or `usual` without a value. `nil` selects any origin.
    static func list(_ text: String?, usual: Set<Self>?) throws(Failure) -> Set<Self>? {
        guard let text else { return usual }
        if text == "all" { return nil }
        let advice = "some of \(words.joined(separator: ", ")), or all"
        return try text.list(of: "--origin", among: allCases, advice: advice)
    }
}
