import Foundation
import Servers
import Testing

@testable import Signatures

@Suite struct MinisignTests {
    private static let content = Array("## x\nsdns://AAEAAAAAAAAACTEyNy4wLjAuMQ\n".utf8)

    @Test(arguments: [true, false])
    func `a signature by minisign is accepted`(isLegacy: Bool) async throws {
        let keys = try await Keys()
        let octets = try await keys.signature(of: Self.content, isLegacy: isLegacy)
        let signature = try MinisignSignature(parsing: octets)
        try signature.verify(Self.content, by: MinisignKey(parsing: keys.publicKey))
        #expect(signature.comment.contains("file:list.md"))
        #expect(try #require(signature.timestamp) > 1_700_000_000)
    }

    @Test(arguments: [true, false])
    func `a change of any byte of the file is detected`(isLegacy: Bool) async throws {
        let keys = try await Keys()
        let key = try MinisignKey(parsing: keys.publicKey)
        let signature = try MinisignSignature(
            parsing: await keys.signature(of: Self.content, isLegacy: isLegacy)
        )
        for index in Self.content.indices {
            var altered = Self.content
            altered[index] ^= 1
            #expect(throws: SignatureError.self) { try signature.verify(altered, by: key) }
        }
        #expect(throws: SignatureError.self) { try signature.verify(Self.content + [10], by: key) }
        #expect(throws: SignatureError.self) { try signature.verify([], by: key) }
    }

    @Test func `a signature with a changed byte is rejected`() async throws {
        let keys = try await Keys()
        let key = try MinisignKey(parsing: keys.publicKey)
        let octets = try await keys.signature(of: Self.content, isLegacy: true)
        // The signature does not cover the first line.
        let first = try #require(octets.firstIndex(of: UInt8(ascii: "\n")))
        let believed = octets.indices.filter { index in
            var altered = octets
            altered[index] ^= 1
            guard let signature = try? MinisignSignature(parsing: altered) else { return false }
            return (try? signature.verify(Self.content, by: key)) != nil
        }
        #expect(believed.allSatisfy { $0 < first })
    }

    @Test func `a signature of another key is rejected by its key ID`() async throws {
        let keys = try await Keys()
        let others = try await Keys()
        let signature = try MinisignSignature(
            parsing: await others.signature(of: Self.content, isLegacy: true)
        )
        let key = try MinisignKey(parsing: keys.publicKey)
        let error = #expect(throws: SignatureError.self) {
            try signature.verify(Self.content, by: key)
        }
        #expect(error?.kind == .foreign)
        #expect(error?.description.contains("\(key)") == true)
    }

    @Test func `the key of the DNSCrypt lists has the key ID of their signatures`() throws {
        let key = try MinisignKey(
            parsing: "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
        )
        #expect("\(key)" == "E7620F1842B4E81F")
        // The signature of 2026-04-18, as the project published it. It signs the file's bytes, and
        // its comment is signed.
        let text = """
            untrusted comment: signature from minisign secret key
            RWQf6LRCGA9i56KxBeHMKfzEce1Ocrcox86LPR77GvauRxhjHRHcqI6gEJuPZ1X9cPtAwR3uruNqqlnhtFk3JIAzOYX\
            gKyZftwM=
            trusted comment: timestamp:1776513246\tfile:public-resolvers.md
            NSRN3Nlizm5em8wZkI05tduXmUcxeRdHuUWBaQv/yD5H8K2eAv8w1AKE2zUiofXEtcoRJcYDjz3F70cg1hhyCQ==

            """
        let signature = try MinisignSignature(parsing: Array(text.utf8))
        #expect(signature.timestamp == 1_776_513_246)
        #expect(signature.isCommentSigned(by: key))
    }

    @Test(arguments: [
        "", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO", "RUQf6LRC", "no key",
        String(repeating: "A", count: 10_000),
    ])
    func `an invalid key is rejected`(text: String) {
        let error = #expect(throws: SignatureError.self) { try MinisignKey(parsing: text) }
        #expect(error?.kind == .key)
    }

    @Test(arguments: ["", "\n\n\n\n", "untrusted comment: x\nAAAA\ntrusted comment: y\nAAAA\n"])
    func `an invalid signature is rejected`(text: String) {
        let error = #expect(throws: SignatureError.self) {
            try MinisignSignature(parsing: Array(text.utf8))
        }
        #expect(error?.kind == .shape)
    }

    @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 257, 100_000])
    func `BLAKE2b agrees with coreutils`(count: Int) async throws {
        let folder = TemporaryFolder()
        let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }
        try Data(octets).write(to: URL(fileURLWithPath: "\(folder.path)/octets"))
        let run = try await Program("b2sum", package: "coreutils").run(["octets"], in: folder.path)
        let digits = BLAKE2b.hash(octets).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        #expect(run.output == digits.joined() + "  octets\n")
    }
}
