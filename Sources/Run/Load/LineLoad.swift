package import Catalogue
package import Failures
import HTTP
import Samples
import Synchronization

/// A load of this machine's line, from sources that the user named.
package final class LineLoad: Sendable {
    /// A server that takes part in the load.
    package struct Source: Sendable {
        package let address: WebAddress
        package let direction: LoadDirection
        /// The address of the server's host.
        package let place: IPAddress
        /// The option that named the source.
        package let option: String

        package init(
            _ address: WebAddress,
            _ direction: LoadDirection,
            at place: IPAddress,
            option: String
        ) {
            (self.address, self.direction) = (address, direction)
            (self.place, self.option) = (place, option)
        }
    }

    package let sources: [Source]
    package let limit: ByteCount
    private let transfers: [LoadTransfers]
    private let budget: LoadBudget
    private let state = Mutex(State())

    private struct State {
        var ramp = LoadRamp()
        /// The throughput of the full line, in bytes per second.
        var level: Double?
        /// The time and the bytes of each direction in which the line was full.
        var full = Duration.zero
        var bytes: [LoadDirection: Int64] = [:]
        /// Whether transfers may have begun that have not been ended.
        var isOpen = false
        /// The bytes at the start of the current load.
        var start: (at: ContinuousClock.Instant, bytes: [Int64])?
    }

    private let clock = ContinuousClock()
    /// The length of an interval of the ramp.
    private let interval: Duration
    /// The longest time until the first byte arrives or leaves.
    private static let patience = Duration.seconds(10)
    /// A later load is full once it reaches this share of the first one's throughput.
    private static let share = 0.8
    private static let laterIntervals = 5

    /// A load that ends before all transfers and their packets exceed `limit`. `agent` is the name of this
    /// program. `interval` is the time between two decisions of the ramp.
    package init(
        _ sources: [Source],
        limit: ByteCount,
        agent: String,
        interval: Duration = LoadRamp.interval
    ) {
        (self.sources, self.limit, self.interval) = (sources, limit, interval)
        let budget = LoadBudget(limit: limit.bytes)
        self.budget = budget
        transfers = sources.map {
            LoadTransfers(
                of: $0.address,
                at: $0.place,
                $0.direction,
                agent: agent,
                within: budget
            )
        }
    }

    /// Throws if the library for loads is not installed.
    package static func checkLibrary() throws(Failure) {
        try HTTPConnection.checkLibrary(for: "a load")
    }

    /// Loads the line, and returns when it is full. Returns `false` if the limit does not allow a load of
    /// `length` at the throughput so far, or if the task was cancelled. Throws if a source transfers nothing.
    package func begin(for length: Duration) async throws(Failure) -> Bool {
        guard budget.allows(length) else {
            await end()
            return false
        }
        if isLoaded { return true }
        var (ramp, level) = state.withLock { state in
            state.isOpen = true
            return (state.ramp, state.level)
        }
        let isFirst = level == nil
        run(streams: ramp.streams)
        try await awaitBytes()
        var intervals = 0
        while budget.allowsMore, !Task.isCancelled {
            let throughput = await throughput(for: interval)
            budget.note(throughput)
            intervals += 1
            if isFirst {
                ramp.take(throughput)
                run(streams: ramp.streams)
                if ramp.isFull { level = throughput }
            }
            guard let level else { continue }
            if isFirst || throughput >= Self.share * level || intervals >= Self.laterIntervals {
                break
            }
        }
        let isFull = budget.allowsMore && !Task.isCancelled
        let bytes = transfers.map(\.progress.bytes)
        state.withLock { state in
            (state.ramp, state.level) = (ramp, level)
            if isFull { state.start = (clock.now, bytes) }
        }
        if !isFull { await end() }
        return isFull
    }

    /// Ends the load. Returns when all connections are closed. `roundTrip` is the round trip on the loaded
    /// line, if it is known.
    package func end(roundTrip: Duration = .zero) async {
        let bytes = transfers.map(\.progress.bytes)
        state.withLock { state in
            if state.isOpen { budget.spendDataOnItsWay(roundTrip) }
            state.isOpen = false
            guard let start = state.start else { return }
            state.full += start.at.duration(to: clock.now)
            for (index, source) in sources.enumerated() {
                state.bytes[source.direction, default: 0] += bytes[index] - start.bytes[index]
            }
            state.start = nil
        }
        run(streams: 0)
        while transfers.contains(where: \.isRunning) {
            do { try await clock.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    /// Whether the line is full now, as far as this program knows.
    package var isLoaded: Bool { state.withLock { $0.start != nil } && budget.allowsMore }

    /// Whether the load may not begin again, because of its limit.
    package var isExhausted: Bool { budget.isOver }

    /// The number of streams in each direction.
    package var streams: Int { state.withLock(\.ramp.streams) }

    /// The estimated bytes of all packets so far, with their headers.
    package var bytes: Int64 { budget.used }

    /// The throughput while queries were measured, in bits per second; `nil` for a direction without a load.
    package func throughput(_ direction: LoadDirection) -> Double? {
        state.withLock { state in
            guard let bytes = state.bytes[direction], state.full > .zero else { return nil }
            return Double(bytes) * 8 / state.full.inSeconds
        }
    }

    private func run(streams: Int) { transfers.forEach { $0.run(streams: streams) } }

    /// The throughput of all transfers in the next `interval`, in bytes per second.
    private func throughput(for interval: Duration) async -> Double {
        let (start, before) = (clock.now, budget.counted)
        try? await clock.sleep(for: interval)
        let elapsed = start.duration(to: clock.now).inSeconds
        return elapsed > 0 ? Double(budget.counted - before) / elapsed : 0
    }

    /// Waits until each source has transferred data.
    private func awaitBytes() async throws(Failure) {
        let before = transfers.map(\.progress.bytes)
        let end = clock.now.advanced(by: Self.patience)
        while true {
            let silent = transfers.indices.first { transfers[$0].progress.bytes == before[$0] }
            guard let silent, budget.allowsMore, !Task.isCancelled else { return }
            let failure = transfers[silent].progress.failure
            if failure != nil || clock.now >= end {
                run(streams: 0)
                let source = sources[silent]
                throw Failure(
                    .unavailable,
                    "\(source.option): no \(source.direction) at \(source.address.place) "
                        + "(\(failure ?? "no data within 10 s")): see whether the server runs, and "
                        + "give the URL of a large file or an upload"
                )
            }
            try? await clock.sleep(for: .milliseconds(20))
        }
    }
}
