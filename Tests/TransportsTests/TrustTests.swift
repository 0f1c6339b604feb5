import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

@Suite struct TrustTests {
    enum Fault: CaseIterable {
        case expired, selfSigned, wrongName, unknownAuthority, forClients, otherPin, otherHash
    }

    private static let another: Set<[UInt8]> = [[UInt8](repeating: 7, count: 32)]

    @Test(arguments: Encryption.allCases, Fault.allCases)
    func `a bad certificate ends the exchange`(encryption: Encryption, fault: Fault) async throws {
        let folder = TemporaryFolder()
        let authority = try await ThrowawayAuthority(in: folder)
        let certificate =
            switch fault {
            case .expired: try await authority.certificate(for: "dot.test", days: -1)
            case .selfSigned: try await authority.selfSigned(for: "dot.test")
            case .forClients:
                try await authority.certificate(for: "dot.test", purpose: "clientAuth")
            case .wrongName, .unknownAuthority, .otherPin, .otherHash:
                try await authority.certificate(for: "dot.test")
            }
        let log = folder.file("responder.log")
        try await encryption.withServer(certificate, log: log) { server in
            let strict = try encryption.transport(
                to: server.port,
                fault == .unknownAuthority ? .system : .file(authority.root),
                name: fault == .wrongName ? "other.test" : "dot.test",
                pins: fault == .otherPin ? Self.another : [],
                hashes: fault == .otherHash ? Self.another : []
            )
            let exchange = await strict.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.connection == nil && exchange.handshake == nil)
            let distrust = try #require(exchange.distrust, "\(exchange.result)")
            let words =
                switch fault {
                case .expired: "expired on 20"
                case .selfSigned: "is self-signed"
                case .unknownAuthority: "is signed by an unknown issuer (CN=Throw-away authority)"
                case .wrongName: "is for dot.test, 127.0.0.1, not for other.test"
                case .forClients: "is not for a server"
                case .otherPin: "is not the pinned one"
                case .otherHash: "is one that the DNS stamp names"
                }
            #expect(distrust.reason.contains(words))
            #expect(distrust.otherName == (fault == .wrongName ? "dot.test" : nil))
            let isUnknown = [.selfSigned, .unknownAuthority].contains(fault)
            #expect(distrust.isIssuerUnknown == isUnknown)
            #expect(await strict.distrust(timeout: .seconds(60)) == distrust)
            #expect(!folder.notes.contains { $0.hasPrefix("query") })
            // A client that trusts any certificate gets an answer, which is marked as unverified.
            let blind = try encryption.transport(to: server.port, .anybody, name: "other.test")
            let unverified = await blind.exchange(try query(), timeout: .seconds(60))
            #expect(unverified.response?.addresses == [[192, 0, 2, 1]])
            #expect(unverified.isUnverified)
            #expect(await blind.distrust(timeout: .seconds(60)) == nil)
        }
    }

    @Test(arguments: Encryption.allCases, [false, true])
    func `a slow public key ends the exchange`(encryption: Encryption, isOwn: Bool) async throws {
        let folder = TemporaryFolder()
        let authority = try await ThrowawayAuthority(in: folder)
        let certificate =
            isOwn
            ? try await authority.certificate(for: "dot.test", key: ThrowawayAuthority.steepKey)
            : try await authority.certificateWithLargeKey(for: "dot.test")
        try await encryption.withServer(certificate, log: folder.file("responder.log")) { server in
            for trust in [TLSCredentials.Trust.file(authority.root), .anybody] {
                let way = try encryption.transport(to: server.port, trust)
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.connection == nil && exchange.handshake == nil)
                let distrust = try #require(exchange.distrust, "\(exchange.result)")
                #expect(distrust.reason.hasSuffix("its chain has too large a key"))
            }
            #expect(!folder.notes.contains { $0.hasPrefix("query") })
        }
    }

    @Test(arguments: Encryption.allCases, [Fault.otherPin, .otherHash, .wrongName])
    func `a rejected certificate is not accepted with a ticket`(
        encryption: Encryption,
        fault: Fault
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let log = folder.file("responder.log")
        try await encryption.withServer(certificate, isEager: true, log: log) { server in
            let way = try encryption.transport(
                to: server.port,
                .file(authority.root),
                name: fault == .wrongName ? "other.test" : "dot.test",
                pins: fault == .otherPin ? Self.another : [],
                hashes: fault == .otherHash ? Self.another : [],
                .resume
            )
            for _ in 0..<3 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.distrust != nil, "\(exchange)")
            }
            #expect(!folder.notes.contains { $0.hasPrefix("query") })
            // A client that trusts the server resumes the session.
            let resuming = try encryption.transport(to: server.port, .file(authority.root), .resume)
            var uses: [ConnectionUse?] = []
            for _ in 0..<2 {
                uses.append(await resuming.exchange(try query(), timeout: .seconds(60)).connection)
            }
            #expect(uses.first == .new)
            #expect([.resumed, .early].contains(uses.last), "\(uses)")
        }
    }
}
