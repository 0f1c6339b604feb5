import CLibraries
package import Catalogue

/// The libraries of encrypted transports. A run over UDP does not need them.
package enum EncryptionLibraries {
    /// Loads the libraries that `transports` need, because loading would block the event loop. Throws if a
    /// library is missing.
    package static func load(for transports: Set<TransportKind>) throws(TLSError) {
        for transport in transports.sorted(by: { $0.rawValue < $1.rawValue }) {
            for library in libraries(for: transport) where clibraries_load(library) == 0 {
                let advice = unsafe String(cString: clibraries_advice(library))
                throw TLSError("\(transport.rawValue): \(advice)")
            }
        }
    }

    private static func libraries(for transport: TransportKind) -> [clibraries_name] {
        switch transport {
        case .udp, .tcp: []
        case .tls: [clibraries_gnutls]
        case .https: [clibraries_gnutls, clibraries_nghttp2]
        case .quic: [clibraries_gnutls, clibraries_ngtcp2, clibraries_ngtcp2_crypto]
        case .h3: libraries(for: .quic) + [clibraries_nghttp3]
        }
    }
}
