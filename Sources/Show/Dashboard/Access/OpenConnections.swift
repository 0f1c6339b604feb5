import NIOCore
import Synchronization

/// All connections, so that those which only wait make room for others.
///
/// Beyond ``RequestLimits/connections`` nobody is accepted until one ends, and an address may have
/// ``RequestLimits/connectionsOfAddress``: where there are more, those go that waited longest, for
/// the rest of a head, for the next request or for a reader.
final class OpenConnections: Sendable {
    fileprivate struct Entry {
        let channel: any Channel
        let address: String
        /// Since when it waits; `nil` while an answer is computed.
        var quietSince: NIODeadline?
        /// Requests whose answer is not whole yet.
        var requests = 0
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isSweepDue = false
        var isEnding = false
    }

    private let state = Mutex(State())

    /// Takes note of `channel` until it is closed, in its event loop.
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
        // Not before it is set up.
        if isEnding { channel.eventLoop.execute { channel.close(promise: nil) } }
        channel.closeFuture.whenComplete { [self] _ in
            _ = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    /// Takes note of requests that came or were answered, and of whether a connection waits from now
    /// on.
    func note(_ channel: any Channel, requests: Int, isQuiet: Bool) {
        state.withLock { state in
            guard var entry = state.entries[ObjectIdentifier(channel)] else { return }
            entry.requests += requests
            entry.quietSince = isQuiet ? .now() : nil
            state.entries[ObjectIdentifier(channel)] = entry
        }
    }

    /// Whether no more requests are to be answered than those under way.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Closes those without a request under way.
    func end() {
        let channels = state.withLock { state in
            state.isEnding = true
            return state.entries.values.filter { $0.requests < 1 }.map(\.channel)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Closes them as they are.
    func closeAll() {
        for channel in state.withLock({ $0.entries.values.map(\.channel) }) {
            channel.close(promise: nil)
        }
    }

    /// Lets go who waited long enough for it, after a while, and again until that is enough.
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

    /// Whether somebody has too many, or nobody else could come.
    fileprivate var isTight: Bool {
        entries.count >= RequestLimits.connections
            || entries.count > RequestLimits.connectionsOfAddress
                && byAddress.contains { $0.count > RequestLimits.connectionsOfAddress }
    }

    /// Takes out the oldest of an address that has too many; where that makes no room, of all.
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
