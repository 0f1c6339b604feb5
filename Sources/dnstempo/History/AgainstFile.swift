import Reports
import Samples
import Statistics
import Store

/// Samples beside those of a file that was saved before.
struct AgainstFile {
    private let before: HistorySource
    private let now: HistorySource
    private let context: WindowContext
    private let window: Range<Timestamp>

    /// Whether a word after --against names a file and not a length of time.
    static func isMeant(by word: String) -> Bool {
        SamplesFormat(path: word) != nil || word.hasSuffix(".sqlite") || word.contains("/")
            || !AbsolutePath.isMissing(word)
    }

    init(_ path: String, _ options: WindowOptions) throws {
        var base = options
        base.file = [path]
        base.named.store = nil
        now = try HistorySource(options, origins: nil)
        before = try HistorySource(base, origins: nil)
        context = try options.window(span: now.spanOfFiles)
        window = try options.openWindow()
    }

    func report(_ rules: ComparisonRules) throws -> RunsReport {
        let all = Timestamp(nanoseconds: .min)..<Timestamp(nanoseconds: .max)
        return RunsReport(
            before: try before.recording(all),
            now: try now.recording(window),
            rules: rules,
            context: context
        )
    }
}

extension HistorySource {
    /// All samples of a window as one, those of marked rounds too.
    func recording(_ window: Range<Timestamp>) throws -> Recording {
        var all = Recording(runs: [], targets: [], questions: [])
        var recordings: [Recording] = []
        try readSamples(window) { recordings.append($0) }
        for recording in recordings { all.merge(recording) }
        if recordings.count > 1 { all.sortBySending() }
        return all
    }
}
