import Catalogue
import DNSWire
import Foundation
import Servers
import Testing

@testable import Transports

/// Sockets that send from a selected address or interface.
@Suite struct SourceTests {
    private static let loopback = IPAddress("127.0.0.1")

    private func endpoint(
        _ kind: TransportKind,
        _ port: UInt16,
        from source: QuerySource
    ) throws -> Endpoint {
        let address = try #require(Self.loopback)
        return Endpoint(transport: kind, address: address, port: port, source: source)
    }

    @Test(arguments: Carrier.allCases, ["127.0.0.1", "127.0.0.2", "lo"])
    func `a plain query has the source address`(carrier: Carrier, source: String) async throws {
        let parsed = try QuerySource(parsing: source)
        guard SourceAddress.fault(of: parsed) == nil else { return }
        try await withResponder { query in
            [.reply(query.answer(truncated: query.transport == .udp))]
        } _: { responder in
            let kind: TransportKind = carrier == .udp ? .udp : .tcp
            let endpoint = try endpoint(kind, responder.endpoint.port, from: parsed)
            let transport: any Transport =
                carrier == .udp
                ? UDPTransport(to: endpoint, allowed: .everywhere)
                : TCPTransport(to: endpoint, allowed: .everywhere)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            // The query over TCP after the truncated answer also has the source address.
            #expect(responder.queries.count == (carrier == .udp ? 2 : 1))
            let expected = source == "lo" ? "127.0.0.1" : source
            #expect(responder.queries.allSatisfy { $0.peer.address == expected })
        }
    }

    #if os(Linux)
    @Test(arguments: Encryption.allCases)
    func `an encrypted connection has the source address`(encryption: Encryption) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        try await encryption.withServer(certificate, log: folder.file("log")) { server in
            let port = server.endpoint.port
            let source = try QuerySource(parsing: "127.0.0.77")
            let service = EncryptedService(
                at: try endpoint(encryption.kind, port, from: source),
                name: "dot.test",
                credentials: try TLSCredentials(.file(authority.root)),
                connections: .reuse,
                allowed: .everywhere
            )
            let transport = EncryptedTransport(to: service)
            let exchange = await transport.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            // While the connection is open, the kernel reports both of its addresses.
            let own = try withExtendedLifetime(transport) {
                try localAddresses(ofConnectionsTo: port)
            }
            #expect(own == ["127.0.0.77"])
        }
    }

    /// Returns the addresses of this process's sockets that are connected to `port` on loopback.
    private func localAddresses(ofConnectionsTo port: UInt16) throws -> Set<String> {
        func end(_ find: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32) -> (
            address: String, port: UInt16
        )? {
            var found = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = unsafe withUnsafeMutablePointer(to: &found) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe find(address, &size)
                }
            }
            guard code == 0, found.sin_family == sa_family_t(AF_INET) else { return nil }
            let number = UInt32(bigEndian: found.sin_addr.s_addr)
            let octets = [24, 16, 8, 0].map { "\(number >> UInt32($0) & 255)" }
            return (octets.joined(separator: "."), UInt16(bigEndian: found.sin_port))
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return open.compactMap { Int32($0) }.reduce(into: []) { addresses, descriptor in
            let remote = unsafe end { unsafe getpeername(descriptor, $0, &$1) }
            guard remote?.port == port else { return }
            let local = unsafe end { unsafe getsockname(descriptor, $0, &$1) }
            if let local { addresses.insert(local.address) }
        }
    }
    #endif

    @Test func `the floor of a resolver is measured from the source address`() async throws {
        try await withResponder { _ in
            []
        } _: { responder in
            let endpoint = try endpoint(
                .tcp,
                responder.endpoint.port,
                from: QuerySource(parsing: "127.0.0.2")
            )
            let found = await RTTProbe(of: endpoint, allowed: .everywhere)
                .measure(handshakes: 1, gap: .zero)
            #expect(found != nil)
            #expect(SourceAddress.toward(endpoint) == IPAddress("127.0.0.2"))
        }
    }

    private func transport(to endpoint: Endpoint) throws -> any Transport {
        switch endpoint.transport {
        case .udp: UDPTransport(to: endpoint, allowed: .everywhere)
        case .tcp: TCPTransport(to: endpoint, allowed: .everywhere)
        default:
            EncryptedTransport(
                to: EncryptedService(
                    at: endpoint,
                    credentials: try TLSCredentials(.anybody),
                    connections: .fresh,
                    allowed: .everywhere
                )
            )
        }
    }

    private static let kinds = [TransportKind.udp, .tcp] + Encryption.allCases.map(\.kind)

    @Test(arguments: kinds)
    func `a missing interface means that there is no route`(kind: TransportKind) async throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let source = QuerySource.interface("nowhere0")
        let endpoint = Endpoint(transport: kind, address: address, port: 53, source: source)
        let way = try transport(to: endpoint)
        let exchange = await way.exchange(try query(), timeout: .seconds(60))
        guard case .noRoute = exchange.result else {
            Issue.record("\(exchange.result)")
            return
        }
    }

    @Test(arguments: kinds, ["fe80::1%nowhere0", "fe80::1%4294967295"])
    func `an address in a missing zone is invalid`(kind: TransportKind, text: String) async throws {
        let address = try #require(IPAddress(text))
        let way = try transport(to: Endpoint(transport: kind, address: address, port: 53))
        let exchange = await way.exchange(try query(), timeout: .seconds(60))
        #expect(exchange.failure.hasPrefix("wrongAddress"))
    }

    #if os(Linux)
    @Test(arguments: [TransportKind.udp, .tcp], [true, false])
    func `an address in a zone is looked up`(kind: TransportKind, isByName: Bool) async throws {
        guard Loopback.hasIPv6 else { return }
        let number = try #require(NetworkInterface.number(ofZone: "lo"))
        try await withResponder(address: "::1") {
            [.reply($0.answer())]
        } _: { responder in
            let address = try #require(IPAddress(isByName ? "::1%lo" : "::1%\(number)"))
            let port = responder.endpoint.port
            let way = try transport(to: Endpoint(transport: kind, address: address, port: port))
            let exchange = await way.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
        }
    }
    #endif

    @Test(arguments: [
        (call: "bind", code: ENODEV, isNoRoute: true), ("bind", EADDRNOTAVAIL, true),
        ("send", ENETUNREACH, true),
        // A route of the type "prohibit".
        ("connect", EACCES, true), ("send", EACCES, true),
        // A forbidden port, a firewall, and errors that other hosts report.
        ("bind", EACCES, false), ("bind", EINVAL, false), ("send", EPERM, false),
        ("recvmsg", EHOSTUNREACH, false), ("connection", EHOSTUNREACH, false),
    ])
    func `only a local error means that there is no route`(
        call: String,
        code: Int32,
        isNoRoute: Bool
    ) {
        let error = Transports.SystemError(call, code: code)
        #expect(error.isNoRoute == isNoRoute)
        #expect(!error.isWrongAddress)
    }

    @Test(arguments: ["connect", "send"], [ENODEV, ENXIO, EINVAL, EADDRNOTAVAIL])
    func `an error about one address is not an error of the network`(call: String, code: Int32) {
        let error = Transports.SystemError(call, code: code)
        #expect(error.isWrongAddress)
        #expect(!error.isNoRoute)
    }

    @Test(arguments: ["192.0.2.77", "2001:db8::77", "fe80::77%nowhere0", "nowhere0"])
    func `an address of another machine is rejected before sending`(text: String) throws {
        let fault = try #require(SourceAddress.fault(of: QuerySource(parsing: text)))
        #expect(fault.hasPrefix(text == "nowhere0" ? "is no interface of" : "is no address of"))
    }
}
