package import Samples
package import Store
import Synchronization

/// Reads what places have shipped, one question at a time.
package final class CentralReader: Sendable {
    private struct State {
        let connection: CentralConnection
        var kept: [Wanted: StoreGroup] = [:]
        var days: [StoredDay]?
        var hasPlaceTwice: Bool?
    }

    private struct Wanted: Hashable {
        var window: Range<Timestamp>
        var detail: CentralHistory.Detail
    }

    private let state: Mutex<State>

    package init(_ connection: sending CentralConnection) {
        state = Mutex(State(connection: connection))
    }

    private static let mostKept = 12

    /// All time.
    package static let always =
        Timestamp(nanoseconds: .min / 2)..<Timestamp(nanoseconds: .max / 2)

    /// A text that is another once a place has shipped; `nil` where none ever did.
    package func changeToken() throws -> String? {
        try state.withLock { state in
            try state.connection.query(
                "SELECT (sum(rounds), max(at), count(sums_from))::text FROM dnstempo.shipped",
                patience: CentralConnection.patience
            ).text(0, 0)
        }
    }

    /// The places that are enrolled.
    package func places() throws -> [CentralHistory.Place] {
        try state.withLock { try CentralHistory.places($0.connection) }
    }

    /// Looks at each place's rows as ``Store/check()`` looks at a store, and at the days; places whose
    /// sums are still to come are passed over.
    package func check() throws -> CheckResult {
        try state.withLock { state in
            try Self.atOneMoment(state.connection) { try Self.check(state.connection) }
        }
    }

    /// Reads what is of one moment, with as long between two statements as it takes to go through what
    /// came: a reader keeps nobody waiting.
    private static func atOneMoment<Result>(
        _ connection: CentralConnection,
        _ body: () throws -> Result
    ) throws -> Result {
        try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            try connection.query("SET LOCAL idle_in_transaction_session_timeout = 0")
            return try body()
        }
    }

    private static func check(_ connection: CentralConnection) throws -> CheckResult {
        var all = CheckResult(findings: [])
        for place in try CentralHistory.places(connection) where place.isComplete {
            let name = "place \(place.source) (\(place.vantage))"
            do {
                let stores = try CentralHistory.stores(of: [place], always, .samples, connection)
                guard let result = try stores.first?.check() else { continue }
                all.rounds += result.rounds
                all.samples += result.samples
                all.rollups += result.rollups
                all.findings += result.findings.map { "\(name): \($0)" }
            } catch let error as StoreError {
                all.findings.append("\(name): \(error.damage ?? "\(error)")")
            }
        }
        do {
            _ = try CentralHistory.days(connection)
        } catch let error as CentralError where error.kind == .badData {
            all.findings.append("\(error)")
        }
        return all
    }

    /// The stores of all places, as far as a window wants them: of ``CentralHistory/Detail/hours``
    /// and days the samples where they are few. What was read once is the same until the end: a
    /// report is about one moment.
    package func stores(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) throws -> StoreGroup {
        let window = Self.bounded(window)
        return try state.withLock { state in
            let wanted = Wanted(window: window, detail: detail)
            if let group = state.kept[wanted] { return group }
            let group = try Self.atOneMoment(state.connection) {
                var detail = detail
                if detail == .hours || detail == .days {
                    if try Self.isShort(window, &state) {
                        detail = .samples
                    } else if try Self.hasPlaceTwice(&state) {
                        detail = .hours
                    }
                }
                let stores = try CentralHistory.stores(
                    of: CentralHistory.places(state.connection).filter { $0.rounds > 0 },
                    window,
                    detail,
                    keepsRounds: try Self.hasPlaceTwice(&state),
                    state.connection
                )
                return StoreGroup(stores, isSummed: detail == .hours || detail == .days)
            }
            // A page that is looked at for days asks for ever other windows.
            if state.kept.count >= Self.mostKept { state.kept = [:] }
            state.kept[wanted] = group
            return group
        }
    }

    /// When rounds of some origins began in a window; those of whole days may stand together.
    package func moments(_ window: Store.Window) throws -> [RoundMoment] {
        let span = Self.bounded(window.since..<window.until)
        let days = try state.withLock { state -> [StoredDay]? in
            let isLong = span.upperBound.since(span.lowerBound) > Store.longestExactWindow
            guard isLong, try !Self.hasPlaceTwice(&state) else { return nil }
            return try Self.days(&state)
        }
        guard let days else { return try stores(span, .rounds).moments(window) }
        let whole = SumSpan.day.whole(within: Timestamp.wholeHours(in: span))
        let (first, end) = (whole.lowerBound, whole.upperBound)
        guard first < end else { return try stores(span, .rounds).moments(window) }
        let edges = [
            span.lowerBound..<Timestamp(hoursSinceEpoch: Int(first)),
            Timestamp(hoursSinceEpoch: Int(end))..<span.upperBound,
        ]
        // A round is of the day in which it began.
        let around = try edges.filter { !$0.isEmpty }.flatMap { edge in
            try stores(edge, .rounds).moments(window.between(edge.lowerBound, edge.upperBound))
                .filter { !whole.contains(Int64($0.started.hoursSinceEpoch)) }
        }
        let within = days.filter { whole.contains($0.hour) }.flatMap(\.stretches)
            .filter { window.origins?.contains($0.moment.origin) ?? true }
        return around + within.map(\.moment)
    }

    /// When the first sample of all time left, and the last, by what rounds were measured for; of
    /// places whose sums are there.
    package func spans() throws -> [Run.Origin: ClosedRange<Timestamp>] {
        let days = try state.withLock { try Self.days(&$0) }
        var spans: [Run.Origin: ClosedRange<Timestamp>] = [:]
        for stretch in days.lazy.flatMap(\.stretches) {
            let span = stretch.moment.started...stretch.stop
            let origin = stretch.moment.origin
            spans[origin] = spans[origin]?.union(span) ?? span
        }
        return spans
    }

    /// How many samples there are of a window.
    package func samples(in window: Range<Timestamp>) throws -> Int {
        try state.withLock { try CentralHistory.samples(Self.bounded(window), $0.connection) }
    }

    private static func isShort(_ window: Range<Timestamp>, _ state: inout State) throws -> Bool {
        guard let span = try CentralHistory.span(state.connection) else { return true }
        let length = min(window.upperBound, span.upperBound).since(
            max(window.lowerBound, span.lowerBound)
        )
        return try length <= Store.longestExactWindow
            && CentralHistory.samples(window, state.connection) <= Store.mostExactSamples
    }

    private static func hasPlaceTwice(_ state: inout State) throws -> Bool {
        if let known = state.hasPlaceTwice { return known }
        let found = try CentralHistory.hasPlaceTwice(state.connection)
        state.hasPlaceTwice = found
        return found
    }

    private static func days(_ state: inout State) throws -> [StoredDay] {
        if let known = state.days { return known }
        let found = try CentralHistory.days(state.connection)
        state.days = found
        return found
    }

    private static func bounded(_ window: Range<Timestamp>) -> Range<Timestamp> {
        let since = min(max(window.lowerBound, always.lowerBound), always.upperBound)
        return since..<max(since, min(window.upperBound, always.upperBound))
    }
}
