import CSockets
import DNSWire

/// A TCP connection that carries queries and their answers without encryption (RFC 7766).
final class TCPConnection: StreamConnection {
    private let framing = DNSFraming()
    private var channel: TLSChannel?

    /// Starts to connect to `address`.
    init(to address: SocketAddress) { super.init(to: address, carrying: framing) }

    override func isTaken(_ id: UInt16) -> Bool {
        framing.isTaken(id) || unsent.contains { $0.attempt.id == id }
    }

    override func giveUp(_ query: StreamQuery) { framing.leave(query) }

    override func dismantle() {
        channel = nil
        super.dismantle()
    }

    override func carry() async throws(ConnectionEnd) {
        guard let channel = try await connected() else { return }
        self.channel = channel
        phase = .open
        for query in unsent {
            query.exchange.connection = query === unsent.first ? .new : .reused
            if query === unsent.first { query.exchange.connect = connect }
        }
        repeat {
            try send()
            try receive()
        } while await news()
    }

    override func send() throws(ConnectionEnd) {
        guard let channel else { return }
        for query in unsent { framing.add(query) }
        unsent = []
        while let record = framing.outgoing() {
            unsafe record.bytes.withUnsafeBytes { unsafe channel.collect($0) }
            noteSent(record.queries, lastByte: channel.lastByte)
        }
        try channel.flush()
        if !unstamped.isEmpty { takeStamps() }
    }

    override func receive() throws(ConnectionEnd) {
        guard let channel else { return }
        takeStamps()
        while true {
            let count = unsafe channel.take(into: ReceiveBuffer.bytes)
            guard count != 0 else { throw .endOfData }
            guard count > 0 else {
                if let failure = channel.failure { throw ConnectionEnd(failure) }
                return
            }
            // The answer may have arrived between the query's stamp and the reading of the stamp.
            if !unstamped.isEmpty { takeStamps() }
            try unsafe framing.take(ReceiveBuffer.received(count), channel.arrival)
        }
    }
}
