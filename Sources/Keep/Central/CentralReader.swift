import Failures
package import Samples
package import Store
import Synchronization

/// Reads what places have shipped, one question at a time.
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

    /// Reader of all places but those that are `leftOut`.
    package init(_ connection: sending CentralConnection, without leftOut: LeftOutPlaces = .init())
    {
        state = Mutex(State(connection: connection))
        self.leftOut = leftOut
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

    /// The places that are enrolled, also those that are left out.
    package func places() throws -> [CentralHistory.Place] {
        try state.withLock { try Self.all(&$0) }
    }

    /// The names that readers show for a vantage point. A place that is enrolled with that name has no other.
    /// Only while it has no rounds, the rounds that other places wrote under its name are meant.
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

    /// Returns what `body` reads of `places` at one moment. Throws ``SourceChanged`` where one of them
    /// cannot be read: it is left out from then on.
    private func readable<Value>(
        _ places: [CentralHistory.Place],
        _ state: inout State,
        _ body: ([CentralHistory.Place]) throws -> (Value, unread: [UnreadPlace])
    ) throws -> Value {
        let found: (value: Value?, unread: [UnreadPlace])
        do {
            found = try Self.atOneMoment(state.connection) { try body(places) }
        } catch let error as CentralError where error.isOfStatement && places.count > 1 {
            // The rows of one place can be the reason.
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

    /// Reads what is of one moment, with as long between two statements as it takes to go through what
    /// came: a reader keeps nobody waiting.
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
        // A round is of the day in which it began.
        let around = try edges.filter { !$0.isEmpty }.flatMap { edge in
            try stores(edge, .rounds).moments(window.between(edge.lowerBound, edge.upperBound))
                .filter { !whole.contains(Int64($0.started.hoursSinceEpoch)) }
        }
        let within = days.filter { whole.contains($0.hour) }.flatMap(\.intervals)
            .filter { window.origins?.contains($0.moment.origin) ?? true }
        return around + within.map(\.moment)
    }

    /// When the first sample of all time left, and the last, by what rounds were measured for; of
    /// places whose sums are there.
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

    /// How many samples there are of a window.
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
    /// Whether two of them show the same name: a round that both have would count twice.
    fileprivate var haveNameTwice: Bool {
        let names = flatMap { Set($0.names.values) }
        return Set(names).count < names.count
    }
}
