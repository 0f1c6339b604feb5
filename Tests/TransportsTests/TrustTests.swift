import DNSWire
import Servers
import Testing

@testable import Transports

@Suite struct TrustTests {
    enum Fault: CaseIterable { case expired, selfSigned, wrongName, unknownAuthority, otherPin }

    @Test(arguments: Encryption.allCases, Fault.allCases)
    func `a certificate that proves nothing ends the exchange unasked`(
        encryption: Encryption,
        fault: Fault
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let authority = try await ThrowawayAuthority(in: folder)
        let certificate =
            switch fault {
            case .expired: try await authority.certificate(for: "dot.test", days: -1)
            case .selfSigned: try await authority.selfSigned(for: "dot.test")
            case .wrongName, .unknownAuthority, .otherPin:
                try await authority.certificate(for: "dot.test")
            }
        let log = folder.file("responder.log")
        try await encryption.withServer(certificate, log: log) { server in
            let strict = try encryption.transport(
                to: server.port,
                fault == .unknownAuthority ? .system : .file(authority.root),
                name: fault == .wrongName ? "other.test" : "dot.test",
                pins: fault == .otherPin ? [[UInt8](repeating: 7, count: 32)] : []
            )
            let exchange = await strict.exchange(try query(), timeout: .seconds(60))
            guard case .untrusted(let reason) = exchange.result else {
                Issue.record("\(exchange.result)")
                return
            }
            let words =
                switch fault {
                case .expired: "has expired"
                case .selfSigned, .unknownAuthority: "is not signed by a trusted root"
                case .wrongName: "is for another name"
                case .otherPin: "is not the pinned one"
                }
            #expect(reason.contains(words))
            #expect(!folder.notes.contains { $0.hasPrefix("query") })
            // Who trusts anybody is answered, and told so.
            let blind = try encryption.transport(to: server.port, .anybody, name: "other.test")
            let unverified = await blind.exchange(try query(), timeout: .seconds(60))
            #expect(unverified.response?.addresses == [[192, 0, 2, 1]])
            #expect(unverified.isUnverified)
        }
    }
}
