package import Samples
package import Store
import Synchronization

/// Reads what places have shipped, one question at a time.
package final class CentralReader: Sendable {
    private struct State {
        let connection: CentralConnection
        var kept: [Wanted: StoreGroup] = [:]
    }

    private struct Wanted: Hashable {
        var window: Range<Timestamp>
        var detail: CentralHistory.Detail
    }

    private let state: Mutex<State>

    package init(_ connection: sending CentralConnection) {
        state = Mutex(State(connection: connection))
    }

    /// All time.
    package static let always =
        Timestamp(nanoseconds: .min / 2)..<Timestamp(nanoseconds: .max / 2)

    /// The places that are enrolled.
    package func places() throws -> [CentralHistory.Place] {
        try state.withLock { try CentralHistory.places($0.connection) }
    }

    /// Looks at each place's rows as ``Store/check()`` looks at a store; places whose sums are still to
    /// come are passed over.
    package func check() throws -> CheckResult {
        try state.withLock { state in
            var all = CheckResult(findings: [])
            try state.connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for place in try CentralHistory.places(state.connection) where place.isComplete {
                let name = "place \(place.source) (\(place.vantage))"
                do {
                    let result = try CentralHistory.store(
                        of: place,
                        Self.always,
                        .samples,
                        state.connection
                    ).check()
                    all.rounds += result.rounds
                    all.samples += result.samples
                    all.rollups += result.rollups
                    all.findings += result.findings.map { "\(name): \($0)" }
                } catch let error as StoreError {
                    all.findings.append("\(name): \(error.damage ?? "\(error)")")
                }
            }
            try state.connection.query("COMMIT")
            return all
        }
    }

    /// The stores of all places, as far as a window wants them. What was read once is the same until
    /// the end: a report is about one moment.
    package func stores(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) throws -> StoreGroup {
        let (most, least) = (Self.always.upperBound, Self.always.lowerBound)
        let window = max(window.lowerBound, least)..<min(window.upperBound, most)
        return try state.withLock { state in
            if let group = state.kept[Wanted(window: window, detail: detail)] { return group }
            try state.connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let wanted = Wanted(window: window, detail: detail)
            let isShort = try CentralHistory.span(state.connection).map { span in
                min(window.upperBound, span.upperBound).since(
                    max(window.lowerBound, span.lowerBound)
                )
                    < Store.longestExactWindow
            }
            let detail = detail == .sums && isShort ?? true ? .samples : detail
            let group = StoreGroup(
                try CentralHistory.places(state.connection).filter { $0.rounds > 0 }.map {
                    try CentralHistory.store(of: $0, window, detail, state.connection)
                }
            )
            try state.connection.query("COMMIT")
            state.kept[wanted] = group
            return group
        }
    }
}
