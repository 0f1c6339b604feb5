import Catalogue
import Servers
import Testing

@testable import Transports

/// The transports whose other end proves who it is, each with its scripted server.
enum Encryption: CaseIterable {
    case tls, https
    #if QUIC
    case quic, h3
    #endif

    /// The way to `port` of loopback.
    func transport(
        to port: UInt16,
        _ trust: TLSCredentials.Trust,
        name: String = "dot.test",
        pins: Set<[UInt8]> = [],
        _ connections: ConnectionPolicy = .reuse
    ) throws -> any Transport {
        func service(_ kind: TransportKind) throws -> EncryptedService {
            try .onLoopback(kind, port, trust, name: name, pins: pins, connections)
        }
        switch self {
        case .tls: return TLSTransport(to: try service(.tls))
        case .https: return HTTPSTransport(to: try service(.https))
        #if QUIC
        case .quic: return QUICTransport(to: try service(.quic))
        case .h3: return HTTP3Transport(to: try service(.h3))
        #endif
        }
    }

    /// Runs `body` beside a server that answers plainly under `certificate`.
    func withServer(
        _ certificate: Certificate,
        log: String,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        switch self {
        case .tls:
            try await Servers.withServer(TLSResponder(.plain, certificate, log: log), body)
        case .https:
            try await Servers.withServer(HTTPSResponder(.plain, certificate, log: log), body)
        #if QUIC
        case .quic:
            try await Servers.withServer(QUICResponder(.doq, .plain, certificate, log: log), body)
        case .h3:
            try await Servers.withServer(QUICResponder(.h3, .plain, certificate, log: log), body)
        #endif
        }
    }
}

extension EncryptedService {
    /// At `port` of loopback, under the name of the tests' certificates.
    static func onLoopback(
        _ kind: TransportKind,
        _ port: UInt16,
        _ trust: TLSCredentials.Trust,
        name: String = "dot.test",
        pins: Set<[UInt8]> = [],
        hashes: Set<[UInt8]> = [],
        _ connections: ConnectionPolicy = .reuse
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
            allowed: try AllowedNetworks(parsing: "127.0.0.0/8")
        )
    }
}

/// Runs `body` beside a server with a certificate of an authority, whose root it is given.
func withCertified<Program: ServerProgram>(
    _ program: (Certificate, _ log: String) -> Program,
    _ body: (RunningServer, String, TemporaryFolder) async throws -> Void
) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let authority = try await ThrowawayAuthority(in: folder)
    let certificate = try await authority.certificate(for: "dot.test")
    let responder = program(certificate, folder.file("responder.log"))
    try await withServer(responder) { try await body($0, authority.root, folder) }
}

extension TemporaryFolder {
    /// What the responder noted.
    var notes: [Substring] { text("responder.log").split(separator: "\n") }
}
