import Catalogue
import Failures
import History
import Samples

/// Checks that everything named by the options exists.
extension HistorySource {
    func checkLabels() throws {
        var all = self
        all.labels = nil
        try Self.check(
            "--resolver",
            labels,
            among: try all.resolverLabels() + recorded.targets().map(\.label)
        )
    }

    /// Checks that everything named by a filter exists in the window. Items that a store lists without times
    /// must exist at any time.
    func check(_ wanted: SampleFilter, in window: Range<Timestamp>) throws {
        try Self.check(
            "--transport",
            wanted.transports,
            among: try targets().map(\.transport.description)
        )
        try Self.check("--name", wanted.names, among: try recorded.names().map { $0.lowercased() })
        try Self.check("--vantage", wanted.vantages, among: try rounds(window).map(\.vantage))
        try Self.check(
            "--site",
            wanted.sites,
            among: try sites(window).flatMap(\.history.sites)
        )
    }

    private static func check(
        _ option: String,
        _ wanted: Set<String>?,
        among all: @autoclosure () throws -> [String]
    ) throws {
        guard let wanted else { return }
        let known = try all().uniqued
        for word in wanted.sorted() where !known.contains(word) {
            throw Failure.usage(NearestName.unmeasured(option, word, among: known))
        }
    }
}
