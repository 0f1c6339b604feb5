import DNSWire
import Servers
import Testing

@testable import Transports

/// A server that never stops sending, together with seven servers that answer.
@Suite(.timeLimit(.minutes(5))) struct FloodTests {
    enum Means: CaseIterable {
        case datagrams, zeros, messages
        case tlsZeros, tlsStrays, tlsCrumbs
        case httpUnknown
        #if QUIC
        case quicNoise, http3Noise
        #endif
    }

    @Test(arguments: Means.allCases)
    func `a flood of one query does not affect the others`(means: Means) async throws {
        try await withFlood(means) { transport, folder in
            // The flood may begin only after a handshake, which takes time on a busy machine.
            let flooded = Task {
                await transport.exchange(try query(), timeout: .seconds(6))
            }
            #expect(try await eventually { folder.notes.contains("flood") })
            try await withResponders(7) { responders in
                for _ in 0..<5 {
                    for exchange in try await exchanges(with: responders) {
                        #expect(exchange.response != nil, "\(exchange.result)")
                        #expect(exchange.clock == .kernel)
                    }
                }
            }
            switch try await flooded.value.result {
            case .timeout: break
            case .malformed(let reason): #expect(reason.hasSuffix(means.complaint ?? ""))
            default: Issue.record("\(try await flooded.value.result)")
            }
        }
    }

    /// Runs `body` with a transport to a server that floods by `means`.
    private func withFlood(
        _ means: Means,
        _ body: (any Transport, TemporaryFolder) async throws -> Void
    ) async throws {
        switch means {
        case .datagrams, .zeros, .messages:
            let mode: FloodResponder.Mode =
                means == .datagrams ? .datagrams : means == .zeros ? .zeros : .messages
            try await withFloodResponder(mode) { server, folder in
                try await body(Carrier.udp.transport(to: server.endpoint), folder)
            }
        case .tlsZeros, .tlsStrays, .tlsCrumbs:
            let mode: TLSResponder.Mode =
                means == .tlsZeros ? .zeros : means == .tlsStrays ? .strays : .crumbs
            try await withCertified({ TLSResponder(mode, $0, log: $1) }) { server, root, folder in
                try await body(Encryption.tls.transport(to: server.port, .file(root)), folder)
            }
        case .httpUnknown:
            try await withCertified({ HTTPSResponder(.unknown, $0, log: $1) }) {
                server,
                root,
                folder in
                try await body(Encryption.https.transport(to: server.port, .file(root)), folder)
            }
        #if QUIC
        case .quicNoise, .http3Noise:
            try await withFloodResponder(.noise) { server, folder in
                let encryption = means == .quicNoise ? Encryption.quic : .h3
                try await body(encryption.transport(to: server.port, .anybody), folder)
            }
        #endif
        }
    }

    private func withFloodResponder(
        _ mode: FloodResponder.Mode,
        _ body: (RunningServer, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let responder = FloodResponder(mode, log: folder.file("responder.log"))
        try await withServer(responder) { try await body($0, folder) }
    }

    /// Runs `body` while `count` servers are running that answer at once.
    private func withResponders(
        _ count: Int,
        _ started: [ScriptedResponder] = [],
        _ body: ([ScriptedResponder]) async throws -> Void
    ) async throws {
        guard started.count < count else { return try await body(started) }
        try await withResponder {
            [.reply($0.answer())]
        } _: {
            try await withResponders(count, started + [$0], body)
        }
    }

    /// Sends one query to each responder, all at the same time.
    private func exchanges(with responders: [ScriptedResponder]) async throws -> [Exchange] {
        try await withThrowingTaskGroup { group in
            for responder in responders {
                group.addTask {
                    let transport = try Carrier.udp.transport(to: responder.endpoint)
                    return await transport.exchange(try query(), timeout: .seconds(60))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension FloodTests.Means {
    /// The failure reason of the flooded query; `nil` if the query times out.
    fileprivate var complaint: String? {
        switch self {
        case .zeros, .tlsZeros: "a message of 0 bytes, fewer than its header has"
        case .messages, .tlsStrays, .tlsCrumbs: "more than 64 messages that answer no query"
        default: nil
        }
    }
}
