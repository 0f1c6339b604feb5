import HTTPTypes
import NIOCore
import NIOHTTPTypes
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
    }

    fileprivate struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isSweepDue = false
    }

    private let state = Mutex(State())

    func add(_ channel: any Channel) {
        let isTight = state.withLock { state in
            state.entries[ObjectIdentifier(channel)] = Entry(
                channel: channel,
                address: channel.remoteAddress?.ipAddress ?? "",
                quietSince: .now()
            )
            return !state.isSweepDue && state.isTight
        }
        if isTight { sweep(in: channel.eventLoop) }
    }

    func remove(_ channel: any Channel) {
        _ = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Takes note of whether a connection waits from now on.
    func note(_ channel: any Channel, isQuiet: Bool) {
        state.withLock {
            $0.entries[ObjectIdentifier(channel)]?.quietSince = isQuiet ? .now() : nil
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

/// Tells ``OpenConnections`` what becomes of one.
final class ConnectionRecord: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    private let connections: OpenConnections

    init(in connections: OpenConnections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { connections.add(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        connections.add(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.remove(context.channel)
        context.fireChannelInactive()
    }

    /// Closes a connection on which nothing was taken for too long: that holds up others.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { connections.note(context.channel, isQuiet: false) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // An answer under way waits for its reader, and an answered request for the next.
        connections.note(context.channel, isQuiet: true)
        context.write(data, promise: promise)
    }
}
