import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

extension Encryption {
    var kind: TransportKind {
        switch self {
        case .tls: .tls
        case .https: .https
        #if QUIC
        case .quic: .quic
        case .h3: .h3
        #endif
        }
    }

    /// Returns a transport to `port` on loopback.
    func transport(
        to port: UInt16,
        _ trust: TLSCredentials.Trust,
        name: String = "dot.test",
        pins: Set<[UInt8]> = [],
        hashes: Set<[UInt8]> = [],
        _ connections: ConnectionPolicy = .reuse,
        version: TLSVersion? = nil
    ) throws -> EncryptedTransport {
        let service = try EncryptedService.onLoopback(
            kind,
            port,
            trust,
            name: name,
            pins: pins,
            hashes: hashes,
            connections,
            version: version
        )
        return EncryptedTransport(to: service)
    }

    /// Returns a transport to `port` on loopback that trusts the authority with this root.
    func transport(
        to port: UInt16,
        _ root: String,
        _ method: HTTPMethod = .post,
        _ connections: ConnectionPolicy = .reuse,
        path: String? = nil
    ) throws -> EncryptedTransport {
        EncryptedTransport(
            to: try .onLoopback(kind, port, .file(root), connections),
            path: path,
            method: method
        )
    }
}

extension EncryptedTransport {
    /// Sends one query per use. Each query must be answered over a connection with that use.
    /// `check` then examines the exchange. A ticket arrives with the end of the handshake, possibly
    /// after the answer.
    nonisolated func expectAnswers(
        over uses: [ConnectionUse],
        awaitsTickets: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ check: (Exchange) async throws -> Void = { _ in }
    ) async throws {
        for use in uses {
            let exchange = await exchange(try query(), timeout: .seconds(60))
            #expect(
                exchange.response?.addresses == [[192, 0, 2, 1]],
                "\(exchange.result)",
                sourceLocation: sourceLocation
            )
            #expect(exchange.connection == use, sourceLocation: sourceLocation)
            try await check(exchange)
            if awaitsTickets { #expect(try await eventually { await self.nextTicket != nil }) }
        }
    }
}

extension EncryptedService {
    /// The service at `port` on loopback, with the name in the tests' certificates.
    // Many parameters: one for each condition of a service; most tests set one of them.
    static func onLoopback(
        _ kind: TransportKind,
        _ port: UInt16,
        _ trust: TLSCredentials.Trust,
        name: String = "dot.test",
        pins: Set<[UInt8]> = [],
        hashes: Set<[UInt8]> = [],
        _ connections: ConnectionPolicy = .reuse,
        version: TLSVersion? = nil
    ) throws -> EncryptedService {
        EncryptedService(
            at: Endpoint(
                transport: kind,
                address: try #require(IPAddress("127.0.0.1")),
                port: port
            ),
            name: name,
            credentials: TLSCredentials(try TLSCredentials(trust, pins: pins), hashes: hashes),
            connections: connections,
            version: version,
            allowed: try AllowedNetworks(parsing: "127.0.0.0/8")
        )
    }
}

/// Returns the handshake time of a new connection of the transport that `open` returns.
func newHandshake(_ open: () throws -> EncryptedTransport) async throws -> Duration? {
    let way = try open()
    let exchange = await way.exchange(try query(), timeout: .seconds(60))
    #expect(exchange.connection == .new)
    return exchange.handshake
}

/// Runs `body` while a server with a certificate is running. `body` receives the root of the
/// certificate's authority.
func withCertified<Program: ServerProgram>(
    _ program: (Certificate, _ log: String) -> Program,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
    let responder = program(certificate, folder.file("responder.log"))
    try await withServer(responder) { try await body($0, authority.root, folder) }
}

/// Runs `body` with an nginx that is not yet running, and with the root of its certificate's
/// authority. The dnsdist and unbound behind this nginx are already running.
func withNginx(
    refusesEarly: Bool = false,
    hasHTTP2: Bool = true,
    _ body: (Nginx, _ root: String, TemporaryFolder) async throws -> Void
) async throws {
    let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
    try await withHTTPBackend { backend in
        let nginx = Nginx(
            certificate,
            backend: backend,
            log: folder.file("responder.log"),
            refusesEarly: refusesEarly,
            hasHTTP2: hasHTTP2
        )
        try await body(nginx, authority.root, folder)
    }
}

extension TemporaryFolder {
    /// The lines that the responder wrote to its log.
    var notes: [Substring] { text("responder.log").split(separator: "\n") }
}
