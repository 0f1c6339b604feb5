/// How a DNS message is carried.
public enum TransportKind: String, Hashable, Sendable, CaseIterable {
    case udp, tcp, tls, https, quic, h3
}

/// Where queries go: an address, a port, and how the message is carried.
public struct Endpoint: Hashable, Sendable {
    public var transport: TransportKind
    public var address: IPAddress
    public var port: UInt16

    public init(transport: TransportKind, address: IPAddress, port: UInt16) {
        self.transport = transport
        self.address = address
        self.port = port
    }
}
