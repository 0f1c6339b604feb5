import CSockets
import Catalogue
import DNSWire

/// A connection over TCP, with or without encryption.
class StreamConnection: QueryConnection {
    private var channel: TLSChannel?
    /// The time to connect.
    final private(set) var connect: Duration?

    final override var budget: ReadBudget? { channel?.budget }
    final override var isReached: Bool { channel != nil }
    final override var packetsSoFar: PacketReading? { channel?.segments }
    /// The most bytes in a TCP segment; `nil` for the system's choice.
    var mostInSegment: Int? { nil }

    final override var signal: ClosingSignal? {
        if channel?.failure?.isRefusal == true { return .reset }
        return channel?.isAtEnd == true ? .fin : nil
    }

    override func dismantle() { channel = nil }

    /// The established connection; `nil` if it is no longer wanted.
    final func connected() async throws(ConnectionEnd) -> TLSChannel? {
        do throws(SystemError) {
            let socket = try await Socket.open(.stream, family: address.family)
            guard phase == .opening else { return nil }
            getUnderWay()
            let connecting = Stopwatch()
            if let mostInSegment { cs_limit_segments(socket.descriptor, Int32(mostInSegment)) }
            try socket.startConnecting(to: address)
            wait = try EventLoop.shared.open(socket, within: nil, writable: true)
            guard await news() else { return nil }
            try socket.checkConnected()
            connect = connecting.elapsed ?? socket.networkRoundTrip
            let channel = TLSChannel(socket)
            self.channel = channel
            return channel
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Takes the send stamps of queries that lack them.
    final func takeStamps() {
        while let entry = channel?.takeQueued(), entry.kind != CS_QUEUED_NOTHING {
            guard entry.kind == CS_QUEUED_SEND_STAMP else { continue }
            for query in unstamped { query.stamp(entry.stamp, upTo: entry.identifier) }
        }
        unstamped.removeAll { !$0.awaitsStamp }
    }
}
