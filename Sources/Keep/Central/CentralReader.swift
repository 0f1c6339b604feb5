import Failures
package import Samples
package import Store
import Synchronization

/// A reader of the history that places have shipped. It runs one query at a time.
package final class CentralReader: Sendable {
    private struct State {
        let connection: CentralConnection
        var places: [CentralHistory.Place]?
        var kept: [Wanted: StoreGroup] = [:]
        var days: [StoredDay]?
    }

    private struct Wanted: Hashable {
        var window: Range<Timestamp>
        var detail: CentralHistory.Detail
    }

    private let state: Mutex<State>
    let leftOut: LeftOutPlaces

    /// Creates a reader of all places except `leftOut`.
    package init(_ connection: sending CentralConnection, without leftOut: LeftOutPlaces = .init())
    {
        state = Mutex(State(connection: connection))
        self.leftOut = leftOut
    }

    private static let mostKept = 12

    /// The window of all time.
    package static let always =
        Timestamp(nanoseconds: .min / 2)..<Timestamp(nanoseconds: .max / 2)

    /// A text that changes when a place ships; `nil` if no place has ever shipped.
    package func changeToken() throws -> String? {
        try state.withLock { state in
            try state.connection.query(
                "SELECT (sum(rounds), max(at), count(sums_from))::text FROM dnstempo.shipped",
                patience: CentralConnection.patience
            ).text(0, 0)
        }
    }

    /// The enrolled places, including those that are left out.
    package func places() throws -> [CentralHistory.Place] {
        try state.withLock { try Self.all(&$0) }
    }

    /// The names that readers show for a vantage point. If readers show this name itself, it is the only
    /// result. Otherwise the result contains the names shown for rounds that other places wrote under this
    /// name.
    package func shownNames(of vantage: String) throws -> [String] {
        let places = try state.withLock { try read(&$0) }
        let isShown = places.contains { $0.names.values.contains(vantage) }
        guard !isShown else { return [vantage] }
        let shown = places.compactMap { $0.names[vantage] }
        return shown.isEmpty ? [vantage] : shown
    }

    /// The places that could not be read so far.
    package var unreadPlaces: [UnreadPlace] { leftOut.unread }

    private static func all(_ state: inout State) throws -> [CentralHistory.Place] {
        if let known = state.places { return known }
        let found = try CentralHistory.places(state.connection)
        state.places = found
        return found
    }

    /// The places that have rounds and are not left out.
    private func read(_ state: inout State) throws -> [CentralHistory.Place] {
        let all = try Self.all(&state)
        if let unknown = leftOut.chosen.subtracting(all.map(\.source)).min() {
            throw CentralError(
                .usage,
                "--without-place \(unknown): the central store has no place of that number; 'dnstempo "
                    + "store info' lists its places"
            )
        }
        return all.filter { $0.rounds > 0 && !leftOut.contains($0.source) }
    }

    /// Returns the value that `body` reads from `places` at one moment.
    ///
    /// - Throws: ``SourceChanged`` if one of the places cannot be read. The place is then left out.
    private func readable<Value>(
        _ places: [CentralHistory.Place],
        _ state: inout State,
        _ body: ([CentralHistory.Place]) throws -> (Value, unread: [UnreadPlace])
    ) throws -> Value {
        let found: (value: Value?, unread: [UnreadPlace])
        do {
            found = try Self.atOneMoment(state.connection) { try body(places) }
        } catch let error as CentralError where error.isOfStatement && places.count > 1 {
            // The rows of one place can cause the error.
            var unread: [UnreadPlace] = []
            for place in places {
                do {
                    unread += try Self.atOneMoment(state.connection) { try body([place]) }.unread
                } catch let error as CentralError where error.isOfStatement {
                    unread.append(UnreadPlace(place, "\(error)"))
                }
            }
            guard !unread.isEmpty else { throw error }
            found = (nil, unread)
        }
        if let value = found.value, found.unread.isEmpty { return value }
        guard found.unread.count < places.count, !found.unread.isEmpty else {
            throw CentralError(
                .badData,
                "the central store at \(state.connection.place): no place "
                    + "can be read; \(found.unread.first.map { "\($0)" } ?? "")"
            )
        }
        leftOut.add(found.unread)
        (state.kept, state.days) = ([:], nil)
        throw SourceChanged()
    }

    func check(_ place: CentralHistory.Place) throws -> CheckResult {
        try state.withLock { state in
            try Self.atOneMoment(state.connection) {
                try CentralHistory.check(place, state.connection)
            }
        }
    }

    /// Reads everything as of one moment. The time between two statements is not limited, because a reader
    /// does not block other sessions.
    private static func atOneMoment<Result>(
        _ connection: CentralConnection,
        _ body: () throws -> Result
    ) throws -> Result {
        try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            // All rows of a cursor are read.
            try connection.query(
                "SELECT set_config('idle_in_transaction_session_timeout', '0', true), "
                    + "set_config('cursor_tuple_fraction', '1', true)"
            )
            return try body()
        }
    }

    /// The stores of all places, with the rows of a window. For ``CentralHistory/Detail/hours`` and days,
    /// they contain the samples if these are few. A repeated call returns the same stores, because a report
    /// describes one moment.
    package func stores(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) throws -> StoreGroup {
        let window = Self.bounded(window)
        return try state.withLock { state in
            let wanted = Wanted(window: window, detail: detail)
            if let group = state.kept[wanted] { return group }
            let places = try read(&state)
            let connection = state.connection
            let group = try readable(places, &state) { places in
                let isTwice = places.haveNameTwice
                var detail = detail
                if detail == .hours || detail == .days {
                    if try Self.isShort(window, places, connection) {
                        detail = .samples
                    } else if isTwice {
                        detail = .hours
                    }
                }
                let (stores, unread) = try CentralHistory.stores(
                    of: places,
                    window,
                    detail,
                    keepsRounds: isTwice,
                    connection
                )
                let isSummed = detail == .hours || detail == .days
                return (StoreGroup(stores, isSummed: isSummed), unread)
            }
            // A page that stays open for days asks for new windows again and again.
            if state.kept.count >= Self.mostKept { state.kept = [:] }
            state.kept[wanted] = group
            return group
        }
    }

    /// The times at which rounds of some origins began in a window. Rounds of whole days may be grouped.
    package func moments(_ window: Store.Window) throws -> [RoundMoment] {
        let span = Self.bounded(window.since..<window.until)
        let days = try state.withLock { state -> [StoredDay]? in
            let isLong = span.upperBound.since(span.lowerBound) > Store.longestExactWindow
            guard isLong, try !read(&state).haveNameTwice else { return nil }
            return try daysOfPlaces(&state)
        }
        guard let days else { return try stores(span, .rounds).moments(window) }
        let whole = SumSpan.day.whole(within: Timestamp.wholeHours(in: span))
        let (first, end) = (whole.lowerBound, whole.upperBound)
        guard first < end else { return try stores(span, .rounds).moments(window) }
        let edges = [
            span.lowerBound..<Timestamp(hoursSinceEpoch: Int(first)),
            Timestamp(hoursSinceEpoch: Int(end))..<span.upperBound,
        ]
        // A round belongs to the day in which it began.
        let around = try edges.filter { !$0.isEmpty }.flatMap { edge in
            try stores(edge, .rounds).moments(window.between(edge.lowerBound, edge.upperBound))
                .filter { !whole.contains(Int64($0.started.hoursSinceEpoch)) }
        }
        let within = days.filter { whole.contains($0.hour) }.flatMap(\.intervals)
            .filter { window.origins?.contains($0.moment.origin) ?? true }
        return around + within.map(\.moment)
    }

    /// The times at which the first and the last sample of all time left, by the origin of the rounds. Only
    /// places whose sums have arrived are included.
    package func spans() throws -> [Run.Origin: ClosedRange<Timestamp>] {
        let days = try state.withLock { try daysOfPlaces(&$0) }
        var spans: [Run.Origin: ClosedRange<Timestamp>] = [:]
        for interval in days.lazy.flatMap(\.intervals) {
            let span = interval.moment.started...interval.stop
            let origin = interval.moment.origin
            spans[origin] = spans[origin]?.union(span) ?? span
        }
        return spans
    }

    /// The number of samples in a window.
    package func samples(in window: Range<Timestamp>) throws -> Int {
        try state.withLock { state in
            let connection = state.connection
            return try readable(read(&state), &state) { places in
                (try CentralHistory.samples(of: places, Self.bounded(window), connection), [])
            }
        }
    }

    private static func isShort(
        _ window: Range<Timestamp>,
        _ places: [CentralHistory.Place],
        _ connection: CentralConnection
    ) throws -> Bool {
        guard let span = try CentralHistory.span(of: places, connection) else { return true }
        let length = min(window.upperBound, span.upperBound).since(
            max(window.lowerBound, span.lowerBound)
        )
        return try length <= Store.longestExactWindow
            && CentralHistory.samples(of: places, window, connection) <= Store.mostExactSamples
    }

    private func daysOfPlaces(_ state: inout State) throws -> [StoredDay] {
        if let known = state.days { return known }
        let connection = state.connection
        let found = try readable(read(&state), &state) { places in
            try CentralHistory.days(of: places, connection)
        }
        state.days = found
        return found
    }

    private static func bounded(_ window: Range<Timestamp>) -> Range<Timestamp> {
        let since = min(max(window.lowerBound, always.lowerBound), always.upperBound)
        return since..<max(since, min(window.upperBound, always.upperBound))
    }
}

extension [CentralHistory.Place] {
    /// Whether two places show the same name. A round that both have would count twice.
    fileprivate var haveNameTwice: Bool {
        let names = flatMap { Set($0.names.values) }
        return Set(names).count < names.count
    }
}
