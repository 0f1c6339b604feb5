import DNSWire

/// A TCP connection that carries queries and their answers without encryption (RFC 7766).
final class TCPConnection: StreamConnection {
    /// Starts to connect to `address`.
    init(to address: SocketAddress) { super.init(to: address, carrying: DNSFraming()) }

    override func carry() async throws(ConnectionEnd) {
        guard try await connected() != nil else { return }
        try await carryQueries(.new)
    }

    override func write(_ bytes: [UInt8]) throws(ConnectionEnd) {
        unsafe bytes.withUnsafeBytes { unsafe channel?.collect($0) }
    }

    override func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionEnd) -> Int? {
        guard let channel else { return nil }
        let count = unsafe channel.take(into: buffer)
        if let failure = channel.failure { throw ConnectionEnd(failure) }
        return count < 0 ? nil : count
    }
}
