import Catalogue
import DNSWire
import LibC
import Servers
import Testing

@testable import Transports

/// The causes of queries whose connection could not be opened.
@Suite struct ConnectCauseTests {
    private static let encryptions = Encryption.allCases

    /// A socket on loopback that never answers.
    private struct SilentSocket: ~Copyable {
        let descriptor: Int32
        let port: UInt16

        /// A `stream` socket completes connections, and reads nothing.
        init(stream: Bool) throws(SystemError) {
            let kind = stream ? Int32(SOCK_STREAM.rawValue) : Int32(SOCK_DGRAM.rawValue)
            let opened = socket(AF_INET, kind, 0)
            descriptor = opened
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            var code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    let code = unsafe bind(opened, address, size)
                    return unsafe code == 0 ? getsockname(opened, address, &size) : code
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            if code == 0, stream { code = listen(opened, 16) }
            if code != 0 { throw SystemError("listen", code: errno) }
        }

        deinit { close(descriptor) }
    }

    private func exchange(
        _ encryption: Encryption,
        _ port: UInt16,
        timeout: Duration = .seconds(60)
    ) async throws -> Exchange {
        let way = try encryption.transport(to: port, .anybody)
        return await way.exchange(try query(), timeout: timeout)
    }

    @Test(arguments: encryptions)
    func `a closed port refuses the connection`(encryption: Encryption) async throws {
        let exchange = try await exchange(encryption, try Loopback.freePort())
        #expect(exchange.cause == FailureCause(.refused), "\(exchange.result)")
    }

    @Test func `a closed port refuses TCP`() async throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let endpoint = Endpoint(transport: .tcp, address: address, port: try Loopback.freePort())
        let allowed = try AllowedNetworks(parsing: "127.0.0.0/8")
        let exchange = await TCPTransport(to: endpoint, allowed: allowed)
            .exchange(try query(), timeout: .seconds(60))
        #expect(exchange.cause == FailureCause(.refused))
    }

    @Test(arguments: encryptions)
    func `a server that says nothing is silent at a known step`(
        encryption: Encryption
    ) async throws {
        let isStream = [Encryption.tls, .https].contains(encryption)
        let server = try SilentSocket(stream: isStream)
        let exchange = try await exchange(encryption, server.port, timeout: .milliseconds(200))
        #expect(exchange.result == .timeout)
        let step = isStream ? "handshake" : "connection"
        #expect(exchange.cause == FailureCause(.silence, step))
        #expect(exchange.facts(over: encryption.kind).fault == exchange.cause)
    }

    @Test func `a server of another protocol rejects the handshake`() async throws {
        try await withNginx { nginx, root, _ in
            try await withServer(nginx) { server in
                let way = try Encryption.tls.transport(to: server.port, root)
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.cause?.kind == .alpn, "\(exchange.result)")
            }
        }
    }

    #if QUIC
    @Test func `a server of HTTP/3 rejects DNS over QUIC`() async throws {
        try await withCertified { certificate, log in
            QUICResponder(.h3, .plain, certificate, log: log)
        } _: { server, root, _ in
            let way = try Encryption.quic.transport(to: server.port, root)
            let exchange = await way.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.cause?.kind == .alpn, "\(exchange.result)")
        }
    }
    #endif
}
