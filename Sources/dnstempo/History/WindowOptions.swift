import ArgumentParser
import Catalogue
import Measurement
import Reports
import Store

/// Which part of what was measured is meant, and where that is kept.
struct WindowOptions: ParsableArguments {
    @Argument(
        help: """
            Stores (.sqlite) read as one, or samples files (.csv, .jsonl). (default: the store \
            that rounds go to)
            """
    )
    var file: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The beginning: 7d or 36h (ago), 2026-05-01, 2026-05-01T14:30 or with Z. (default: \
            7d before the end; of samples files their own; export: all)
            """,
            valueName: "moment"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("The end, written as --since is.", valueName: "moment"))
    var until = "now"

    @Option(
        help: ArgumentHelp(
            """
            What the rounds of a store were measured for: sample, watch, compare, import; or all. \
            (default: sample,watch; export: all)
            """,
            valueName: "list"
        )
    )
    var origin: String?

    @Option(help: ArgumentHelp("Only this resolver; repeatable.", valueName: "label"))
    var resolver: [String] = []

    @OptionGroup var named: NamedStore

    private static let usualLength = Duration.seconds(7 * 86_400)

    /// What --origin lists, or `usual` without it; `nil` is any.
    func origins(usual: Set<Store.Origin>?) throws(Failure) -> Set<Store.Origin>? {
        guard let origin else { return usual }
        if origin == "all" { return nil }
        var origins: Set<Store.Origin> = []
        for word in origin.split(separator: ",", omittingEmptySubsequences: false) {
            guard let one = Store.Origin.allCases.first(where: { $0.name == word }) else {
                let known = Store.Origin.allCases.map(\.name).joined(separator: ", ")
                throw Failure(.usage, "--origin: '\(word)' is none; write some of \(known), or all")
            }
            origins.insert(one)
        }
        return origins
    }

    /// From when to when, on this system's clock. Without --since it has the `last` so long before
    /// its end, else all of `span`, which is that of samples files, else 7 days.
    func window(
        span: ClosedRange<Timestamp>? = nil,
        last length: Duration? = nil
    ) throws -> WindowContext {
        let now = Timestamp.now
        // A date means something on a clock alone, and which one holds depends on the date.
        let rough = try [(since ?? "now", "--since"), (until, "--until")].map { text, option in
            try MomentText.parse(text, option: option, now: now, clock: .utc)
        }
        let clock = LocalClock.system(from: min(rough[0], rough[1]), to: max(rough[0], rough[1]))
        var window: Range<Timestamp>
        if let since {
            window = try MomentText.window(since: since, until: until, now: now, clock: clock)
        } else {
            var end = try MomentText.parse(until, option: "--until", now: now, clock: clock)
            if let last = span?.upperBound, until == "now" { end = last.next }
            var start = end.advanced(by: .zero - (length ?? Self.usualLength))
            if length == nil, let first = span?.lowerBound, first < end { start = first }
            window = start..<end
        }
        var context = WindowContext(
            toolVersion: Version.text,
            window: window,
            clock: .system(from: window.lowerBound, to: window.upperBound)
        )
        context.present = now
        return context
    }
}

/// What a long window is read from.
struct PrecisionOption: ParsableArguments {
    @Flag(help: "Read samples, not hourly sums, where the window is longer than 8 days.")
    var exact = false
}

extension WindowOptions {
    /// From when to when, without a beginning or an end where none was asked for.
    func openWindow() throws -> Range<Timestamp> {
        if since != nil { return try window().window }
        let end = until == "now" ? nil : try window().window.upperBound
        return Timestamp(nanoseconds: .min)..<(end ?? Timestamp(nanoseconds: .max))
    }
}

extension Timestamp {
    /// A nanosecond later, so that a range without its end has this moment too.
    fileprivate var next: Timestamp { advanced(by: .nanoseconds(1)) }
}
