import Foundation

/// The loop on the thread of a `ScriptedResponder`. It waits for queries, calls the script and performs the
/// actions.
final class ResponderLoop {
    typealias Script =
        @Sendable ([UInt8], SocketAddress, ReceivedQuery.Transport) -> [ResponderAction]

    private enum Peer {
        case datagram(SocketAddress)
        case stream(ResponderConnection)
    }

    private struct Pending {
        let due: ContinuousClock.Instant
        let actions: ArraySlice<ResponderAction>
        let peer: Peer
    }

    private let stop: Int32
    private let udp: LoopbackSocket
    private let tcp: LoopbackSocket
    private let onConnect: [ResponderAction]
    private let script: Script
    private var connections: [Int32: ResponderConnection] = [:]
    private var pending: [Pending] = []

    init(
        stop: Int32,
        udp: consuming LoopbackSocket,
        tcp: consuming LoopbackSocket,
        onConnect: [ResponderAction],
        script: @escaping Script
    ) {
        self.stop = stop
        self.udp = udp
        self.tcp = tcp
        self.onConnect = onConnect
        self.script = script
    }

    /// Runs until the other end of `stop` is closed.
    func run() {
        defer { close(stop) }
        while wait() {
            while let (bytes, peer) = udp.receive() {
                perform(script(bytes, peer, .udp)[...], to: .datagram(peer))
            }
            while let (descriptor, peer) = tcp.accept() {
                let connection = ResponderConnection(owning: descriptor, peer: peer)
                connections[descriptor] = connection
                perform(onConnect[...], to: .stream(connection))
            }
            for (descriptor, connection) in connections {
                read(connection)
                if connection.hasEnded { connections[descriptor] = nil }
            }
            performDue()
        }
    }

    /// Waits for the next event. Returns false once the responder is stopped.
    private func wait() -> Bool {
        let descriptors = [stop, udp.descriptor, tcp.descriptor] + connections.keys
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var limit: Int32 = -1
        if let due = pending.map(\.due).min() {
            let left = max(.zero, ContinuousClock.now.duration(to: due))
            limit = Int32(min(left / .milliseconds(1), 60_000).rounded(.up))
        }
        unsafe poll(&entries, nfds_t(entries.count), limit)
        return entries[0].revents == 0
    }

    private func read(_ connection: ResponderConnection) {
        while let message = connection.nextMessage() {
            perform(script(message, connection.peer, .tcp)[...], to: .stream(connection))
        }
    }

    private func performDue() {
        let now = ContinuousClock.now
        let due = pending.filter { $0.due <= now }
        pending.removeAll { $0.due <= now }
        for entry in due { perform(entry.actions, to: entry.peer) }
    }

    private func perform(_ actions: ArraySlice<ResponderAction>, to peer: Peer) {
        for (index, action) in zip(actions.indices, actions) {
            if case .pause(let duration) = action {
                let due = ContinuousClock.now.advanced(by: duration)
                pending.append(Pending(due: due, actions: actions[(index + 1)...], peer: peer))
                return
            }
            switch peer {
            case .datagram(let address): perform(action, to: address)
            case .stream(let connection): connection.perform(action)
            }
        }
    }

    /// Performs an action over UDP. Send errors are ignored, because the departure of a client is not a
    /// failure of the responder.
    private func perform(_ action: ResponderAction, to peer: SocketAddress) {
        switch action {
        case .reply(let bytes), .raw(let bytes):
            try? udp.send(bytes, to: peer)
        case .replyFrom(let source, let bytes):
            if let other = try? LoopbackSocket.bound(.udp, to: source) {
                try? other.send(bytes, to: peer)
            }
        case .report(let error):
            try? error.send(to: peer, about: udp.address)
        case .trickle, .pause, .close, .reset:
            break
        }
    }
}
