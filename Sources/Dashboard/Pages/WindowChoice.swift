import Catalogue
import Reports
import Samples

/// Which part of the history a document is about, as its address says.
struct WindowChoice: Hashable, Sendable {
    /// The lengths that are offered, and what they are called.
    static let offered: [(text: String, title: String)] = [
        ("1h", "hour"), ("24h", "day"), ("7d", "week"), ("30d", "month"), ("90d", "quarter"),
        ("365d", "year"),
    ]
    static let week = WindowChoice(since: "7d", until: "now")

    /// As `--since` takes it.
    var since: String
    /// As `--until` takes it.
    var until: String

    private init(since: String, until: String) {
        self.since = since
        self.until = until
    }

    /// By `window`, a length, or by `since` and `until`; a week where there is neither.
    init(_ target: RequestTarget) {
        since = target["window"] ?? target["since"] ?? Self.week.since
        until = target["window"] == nil ? target["until"] ?? "now" : "now"
    }

    /// From when to when it is at `now`; throws where that cannot be told.
    func context(
        at now: Timestamp,
        toolVersion: String
    ) throws(CatalogueError) -> WindowContext {
        try WindowContext(since: since, until: until, now: now, toolVersion: toolVersion)
    }

    /// `target` with this window; the usual one needs no words.
    func applied(to target: RequestTarget) -> RequestTarget {
        if self == .week { return target }
        return until == "now"
            ? target.setting("window", to: since)
            : target.setting("since", to: since).setting("until", to: until)
    }
}
