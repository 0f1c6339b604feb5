import Catalogue
import Measurement
import Transports

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How queries get to resolvers: over which connections, and whom those trust.
struct Carriage: Sendable {
    private let allowed: AllowedNetworks
    /// `nil` for both, those that are kept and those that are opened anew.
    private let connections: ConnectionPolicy?
    /// Made only where a resolver is asked over TLS.
    private let credentials: TLSCredentials?

    /// All that is needed for `resolvers`; roots that cannot be read are an error now.
    init(
        to resolvers: [Resolver],
        _ options: RunOptions,
        _ trust: TrustOptions,
        allowed: AllowedNetworks
    ) throws {
        self.allowed = allowed
        connections = options.connections
        let pins = try trust.digests()
        guard resolvers.contains(where: { $0.endpoint.transport == .tls }) else {
            credentials = nil
            return
        }
        do {
            credentials = try TLSCredentials(trust.anchor, pins: pins)
        } catch {
            throw Failure(trust.authority == nil ? .configuration : .noInput, error.reason)
        }
        if trust.insecure {
            try? Terminal.error.write(
                "dnstempo: --insecure: certificates are NOT verified; anybody may have answered\n"
            )
        }
    }

    var isEncrypted: Bool { credentials != nil }

    /// The way to `resolver` for the queries of a series, on connections of their own; outside the
    /// allowed networks nothing is sent.
    func transport(to resolver: Resolver, in series: Series) -> any Transport {
        guard resolver.endpoint.transport == .tls, let credentials else {
            return Self.plain(to: resolver.endpoint, allowed: allowed)
        }
        let hashes = resolver.certificateHashes
        return TLSTransport(
            to: resolver.endpoint,
            name: resolver.serverName,
            credentials: hashes.isEmpty ? credentials : TLSCredentials(credentials, hashes: hashes),
            connections: series != .first ? .reuse : connections == .resume ? .resume : .fresh,
            allowed: allowed
        )
    }

    /// The way to an endpoint of plain DNS.
    static func plain(to endpoint: Endpoint, allowed: AllowedNetworks) -> any Transport {
        switch endpoint.transport {
        case .tcp: TCPTransport(to: endpoint, allowed: allowed)
        default: UDPTransport(to: endpoint, allowed: allowed)
        }
    }
}

extension TrustOptions {
    fileprivate var anchor: TLSCredentials.Trust {
        if insecure { return .anybody }
        return authority.map { .file($0) } ?? .system
    }

    fileprivate func digests() throws -> Set<[UInt8]> {
        var digests: Set<[UInt8]> = []
        for pin in pins {
            guard let data = Data(base64Encoded: pin), data.count == 32 else {
                throw Failure(
                    .usage,
                    "--pin '\(pin)': give the base64 of a SHA-256, 44 characters"
                )
            }
            digests.insert([UInt8](data))
        }
        return digests
    }
}
