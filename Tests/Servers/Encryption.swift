/// The transports that authenticate the server, each with its scripted server.
package enum Encryption: String, CaseIterable, Sendable {
    case tls, https
    #if QUIC
    case quic, h3
    #endif

    /// Runs `body` while a server without faults is running with `certificate`. With `isEager`, a server over
    /// QUIC sends its session ticket with its first flight.
    package func withServer(
        _ certificate: Certificate,
        isEager: Bool = false,
        log: String,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        #if QUIC
        let mode = isEager ? QUICResponder.Mode.eager : .plain
        #endif
        switch self {
        case .tls:
            try await Servers.withServer(TLSResponder(.plain, certificate, log: log), body)
        case .https:
            try await Servers.withServer(HTTPSResponder(.plain, certificate, log: log), body)
        #if QUIC
        case .quic:
            try await Servers.withServer(QUICResponder(.doq, mode, certificate, log: log), body)
        case .h3:
            try await Servers.withServer(QUICResponder(.h3, mode, certificate, log: log), body)
        #endif
        }
    }
}
