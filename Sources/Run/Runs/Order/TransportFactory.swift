import Catalogue
import DNSWire
package import Failures
import Integrity
import Samples
import Transports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates the transports to resolvers.
protocol TransportSource: Sendable {
    /// The transport to `resolver` in a series, with separate connections.
    func transport(to resolver: Resolver, in series: Series) -> any Transport

    /// An encrypted transport to `resolver` with new connections; `nil` if the resolver is not encrypted.
    func encrypted(to resolver: Resolver) -> EncryptedTransport?

    /// Opens connections to `resolver` that are held open. Over QUIC, the client offers the idle timeout
    /// `offeredIdle`.
    func holder(to resolver: Resolver, offeredIdle: Duration) -> ConnectionHolder
}

/// Opens a connection that is held open, and resumes the session of another one if it is given. Returns
/// `nil` outside the allowed networks.
typealias ConnectionHolder =
    @EventLoopActor @Sendable (_ earlier: HeldConnection?) -> HeldConnection?

/// Creates the transports to resolvers. All their connections trust the same certificates.
struct TransportFactory: TransportSource {
    private let allowed: AllowedNetworks
    /// The connection policy; `nil` for both kept and new connections.
    private let connections: ConnectionPolicy?
    private let httpMethod: HTTPMethod
    private let tlsVersion: TLSVersion?
    /// The credentials; `nil` unless a resolver is queried over an encrypted transport.
    private let credentials: TLSCredentials?
    /// The cookies by the addresses of client and server (RFC 7873 §4.1); `nil` if queries have no
    /// cookies.
    private let cookies: [CookiePlace: CookieJar]?

    private struct CookiePlace: Hashable {
        let address: IPAddress
        let source: QuerySource?

        init(_ endpoint: Endpoint) {
            address = endpoint.address
            source = endpoint.source
        }
    }

    /// Creates the factory for `resolvers`. Unreadable certificate authorities are an error now.
    init(
        to resolvers: [Resolver],
        _ options: RunOptions,
        _ trust: TrustRequest,
        allowed: AllowedNetworks
    ) throws {
        self.allowed = allowed
        connections = options[.connections]
        httpMethod = options[.httpMethod] ?? .post
        tlsVersion = options[.tlsVersion]
        cookies =
            options[.cookie] == true
            ? resolvers.reduce(into: [:]) { $0[CookiePlace($1.endpoint)] = CookieJar() } : nil
        let pins = try trust.digests
        let kinds = Set(resolvers.map(\.endpoint.transport))
        guard kinds.contains(where: \.isEncrypted) else {
            credentials = nil
            return
        }
        do { try EncryptionLibraries.load(for: kinds) } catch {
            throw Failure(.unavailable, error.reason)
        }
        credentials = try TLSCredentials(
            authority: trust.authority,
            pins: pins,
            anybody: trust.verifiesNothing
        )
    }

    /// Creates a factory for new connections that trust `credentials`.
    init(trusting credentials: TLSCredentials, allowed: AllowedNetworks) {
        self.allowed = allowed
        connections = .fresh
        httpMethod = .post
        tlsVersion = nil
        cookies = nil
        self.credentials = credentials
    }

    var isEncrypted: Bool { credentials != nil }

    func transport(to resolver: Resolver, in series: Series) -> any Transport {
        let carrier =
            encrypted(to: resolver, in: series)
            ?? (keepsTCP(to: resolver)
                ? KeptTCPTransport(to: resolver.endpoint, allowed: allowed)
                : Self.plain(to: resolver.endpoint, allowed: allowed))
        let jar = cookies?[CookiePlace(resolver.endpoint)]
        return jar.map { CookieTransport(over: carrier, $0) } ?? carrier
    }

    /// Whether queries to `resolver` share a connection over TCP. By default, each query opens one.
    private func keepsTCP(to resolver: Resolver) -> Bool {
        resolver.endpoint.transport == .tcp && connections == .reuse
    }

    func holder(to resolver: Resolver, offeredIdle: Duration) -> ConnectionHolder {
        guard let carrier = encrypted(to: resolver, in: .first, offeredIdle: offeredIdle) else {
            let (endpoint, allowed) = (resolver.endpoint, allowed)
            return { _ in HeldConnection(tcp: endpoint, allowed: allowed) }
        }
        return { carrier.hold(resuming: $0) }
    }

    func encrypted(to resolver: Resolver) -> EncryptedTransport? {
        encrypted(to: resolver, in: .first)
    }

    /// The encrypted transport to `resolver` in a series; `nil` if the resolver is not encrypted.
    func encrypted(
        to resolver: Resolver,
        in series: Series,
        offeredIdle: Duration = EncryptedService.usualIdle
    ) -> EncryptedTransport? {
        let endpoint = resolver.endpoint
        guard endpoint.transport.isEncrypted, let credentials else { return nil }
        let hashes = resolver.certificateHashes
        let trusted =
            hashes.isEmpty ? credentials : TLSCredentials(credentials, hashes: hashes)
        let opened = connections == .resume ? ConnectionPolicy.resume : .fresh
        let service = EncryptedService(
            at: endpoint,
            name: resolver.serverName,
            credentials: trusted,
            connections: series == .first ? opened : .reuse,
            version: tlsVersion,
            allowed: allowed,
            offeredIdle: offeredIdle
        )
        return EncryptedTransport(to: service, path: resolver.path, method: httpMethod)
    }

    static func plain(to endpoint: Endpoint, allowed: AllowedNetworks) -> any Transport {
        switch endpoint.transport {
        case .tcp: TCPTransport(to: endpoint, allowed: allowed)
        default: UDPTransport(to: endpoint, allowed: allowed)
        }
    }
}

extension TLSCredentials {
    /// Creates credentials with the certificate authorities of a file, or of the system. They
    /// verify certificates, unless `anybody` is set.
    package init(
        authority: String?,
        pins: Set<[UInt8]> = [],
        anybody: Bool = false
    ) throws(Failure) {
        let trust = anybody ? .anybody : authority.map { Trust.file($0) } ?? .system
        do {
            try self.init(trust, pins: pins)
        } catch {
            throw Failure(authority == nil ? .configuration : .noInput, error.reason)
        }
    }
}

extension TrustRequest {
    fileprivate var digests: Set<[UInt8]> {
        get throws(Failure) {
            Set(
                try pins.map { pin throws(Failure) in
                    guard let data = Data(base64Encoded: pin), data.count == 32 else {
                        throw Failure.usage(
                            "--pin '\(pin)': give the base64 of a SHA-256, 44 characters"
                        )
                    }
                    return [UInt8](data)
                }
            )
        }
    }
}

extension Transport {
    /// Sends a query at its turn, and repeats it if no answer arrives in time. Outside
    /// measurements, one lost packet is no reason to give up.
    func exchange(
        _ query: Query,
        timeout: Duration,
        attempts: Int,
        at turns: CheckTurns<ContinuousClock>,
        of endpoint: Endpoint
    ) async -> Exchange {
        for _ in 1..<attempts {
            await turns.wait(for: endpoint)
            let exchange = await exchange(query, timeout: timeout)
            guard case .timeout = exchange.result else { return exchange }
        }
        await turns.wait(for: endpoint)
        return await exchange(query, timeout: timeout)
    }
}
