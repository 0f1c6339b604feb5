import NIOCore
import Synchronization

/// All open connections. Waiting connections are closed to make room for others.
///
/// Beyond ``RequestLimits/connections``, the server accepts no connection until another ends. One address may
/// have ``RequestLimits/connectionsOfAddress``. Above a limit, the connections that have waited longest are
/// closed. They wait for the rest of a head, for the next request or for a reader.
final class OpenConnections: Sendable {
    fileprivate struct Entry {
        let channel: any Channel
        let address: String
        /// The start of the wait. `nil` while an answer is computed.
        var quietSince: NIODeadline?
        /// The number of requests whose answer is incomplete.
        var requests = 0
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isSweepDue = false
        var isEnding = false
    }

    private let state = Mutex(State())

    /// Records `channel` until it is closed. Call it in the channel's event loop.
    func add(_ channel: any Channel) {
        let (isTight, isEnding) = state.withLock { state in
            state.entries[ObjectIdentifier(channel)] = Entry(
                channel: channel,
                address: channel.remoteAddress?.ipAddress ?? "",
                quietSince: .now()
            )
            return (!state.isSweepDue && state.isTight, state.isEnding)
        }
        if isTight { sweep(in: channel.eventLoop) }
        // The channel is closed only after its setup.
        if isEnding { channel.eventLoop.execute { channel.close(promise: nil) } }
        channel.closeFuture.whenComplete { [self] _ in
            _ = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    /// Records the number of new requests or answers, and whether the connection waits from now on.
    func note(_ channel: any Channel, requests: Int, isQuiet: Bool) {
        state.withLock { state in
            guard var entry = state.entries[ObjectIdentifier(channel)] else { return }
            entry.requests += requests
            entry.quietSince = isQuiet ? .now() : nil
            state.entries[ObjectIdentifier(channel)] = entry
        }
    }

    /// Whether only the requests in progress will be answered.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Closes the connections without a request in progress.
    func end() {
        let channels = state.withLock { state in
            state.isEnding = true
            return state.entries.values.filter { $0.requests < 1 }.map(\.channel)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Closes all connections in their current state.
    func closeAll() {
        for channel in state.withLock({ $0.entries.values.map(\.channel) }) {
            channel.close(promise: nil)
        }
    }

    /// Closes connections that have waited long enough, after a delay. It repeats until there is enough room.
    private func sweep(in loop: any EventLoop) {
        state.withLock { $0.isSweepDue = true }
        loop.scheduleTask(in: RequestLimits.leastWait) { [self] in
            let (idle, isTight) = state.withLock { state in
                state.isSweepDue = false
                let idle = state.takeIdle(before: .now() - RequestLimits.leastWait)
                return (idle, state.isTight)
            }
            for channel in idle { channel.close(promise: nil) }
            if isTight { sweep(in: loop) }
        }
    }
}

extension OpenConnections.State {
    private var byAddress: [[OpenConnections.Entry]] {
        Array(Dictionary(grouping: entries.values, by: \.address).values)
    }

    /// Whether an address has too many connections, or the server has no room for another connection.
    fileprivate var isTight: Bool {
        entries.count >= RequestLimits.connections
            || entries.count > RequestLimits.connectionsOfAddress
                && byAddress.contains { $0.count > RequestLimits.connectionsOfAddress }
    }

    /// Removes the oldest connections of each address that has too many. If that makes no room, removes the
    /// oldest of all.
    fileprivate mutating func takeIdle(before limit: NIODeadline) -> [any Channel] {
        func take(_ count: Int, of some: [OpenConnections.Entry]) -> [any Channel] {
            let idle = some.compactMap { entry in
                entry.quietSince.flatMap { $0 <= limit ? (channel: entry.channel, since: $0) : nil }
            }
            let oldest = idle.sorted { $0.since < $1.since }.prefix(max(0, count)).map(\.channel)
            for channel in oldest { entries[ObjectIdentifier(channel)] = nil }
            return oldest
        }
        var taken: [any Channel] = []
        for own in byAddress {
            taken += take(own.count - RequestLimits.connectionsOfAddress, of: own)
        }
        return taken
            + take(entries.count - RequestLimits.connections + 1, of: Array(entries.values))
    }
}
