import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

@Suite struct HTTPHeaderTests {
    private static let known: HTTPHeaderCount.Reading = .known(.contentType("a/b"))

    @Test func `fields are counted, and only two are read`() {
        var count = HTTPHeaderCount()
        #expect(count.take(":status".utf8, "200".utf8) == .known(.status(200)))
        #expect(count.take("content-type".utf8, "a/b".utf8) == Self.known)
        for _ in 0..<62 { #expect(count.take("x".utf8, "y".utf8) == .other) }
        #expect(
            count.take("content-type".utf8, "a/b".utf8) == .excess("more than 64 header fields")
        )
        // The second content type is ignored.
        #expect(count.take("content-type".utf8, "a/b".utf8) == .other)
    }

    @Test func `header bytes are counted by the rule that the server knows`() {
        var count = HTTPHeaderCount()
        let value = [UInt8](repeating: 0x79, count: 16_384 - 32 - 1)
        #expect(count.take("x".utf8, value) == .other)
        #expect(count.take("".utf8, []) == .excess("more than 16384 bytes of header"))
    }

    @Test func `interim answers are counted, and the final answer is not`() {
        var count = HTTPHeaderCount()
        for _ in 0..<8 { #expect(count.take(":status".utf8, "103".utf8) == .known(.status(103))) }
        #expect(count.take(":status".utf8, "200".utf8) == .known(.status(200)))
        #expect(count.take(":status".utf8, "100".utf8) == .excess("more than 8 interim answers"))
    }

    @Test func `only the start of a value is kept`() {
        let value = [UInt8](repeating: 0x79, count: 10_000)
        #expect(
            HTTPField("content-type".utf8, value)
                == .contentType(String(repeating: "y", count: 128))
        )
        #expect(HTTPField(":status".utf8, value) == .status(nil))
        #expect(HTTPField("location".utf8, value) == .location(String(repeating: "y", count: 128)))
        #expect(HTTPField("server".utf8, value) == nil)
    }

    @Test func `the maximum allowed size is accepted`() async throws {
        try await withCertified({ HTTPSResponder(.ample, $0, log: $1) }) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, .file(root))
            try await way.expectAnswers(over: [.new, .reused])
            #expect(folder.notes.count { $0 == "limit 16384" } == 2)
        }
    }

    @Test(arguments: [
        (HTTPSResponder.Mode.fields, "more than 64 header fields"),
        (.header, "more than 16384 bytes of header"),
        (.interim, "more than 8 interim answers"),
        (.references, "more than 16384 bytes of header"),
    ])
    func `a large header fails one query`(mode: HTTPSResponder.Mode, words: String) async throws {
        try await withCertified({ HTTPSResponder(mode, $0, log: $1) }) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, .file(root))
            for use in [ConnectionUse.new, .reused] {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.result.malformation == words, "\(exchange.result)")
                #expect(exchange.connection == use)
            }
            #expect(folder.notes.count { $0 == "connection new h2" } == 1)
        }
    }

    @Test func `a header without an end ends the connection`() async throws {
        try await withCertified({ HTTPSResponder(.endless, $0, log: $1) }) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, .file(root))
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.result.malformation?.isEmpty == false, "\(exchange.result)")
                #expect(exchange.connection == .new)
            }
        }
    }

    @Test func `a server that does not read its input is abandoned`() async throws {
        try await withCertified({ HTTPSResponder(.deaf, $0, log: $1) }) { server, root, _ in
            let way = try Encryption.https.transport(to: server.port, .file(root))
            let exchange = await way.exchange(try query(), timeout: .seconds(60))
            let words = try #require(exchange.result.malformation, "\(exchange.result)")
            #expect(words.hasPrefix("HTTP/2: Flooding was detected"))
        }
    }

    #if QUIC
    @Test(arguments: [
        (QUICResponder.Mode.fields, "more than 64 header fields"),
        (.header, "more than 16384 bytes of header"),
        (.interim, "more than 8 interim answers"),
        (.oversized, "more than 65535 bytes"),
    ])
    func `a large HTTP/3 answer fails only its query, and is stopped`(
        mode: QUICResponder.Mode,
        words: String
    ) async throws {
        try await withCertified({ QUICResponder(.h3, mode, $0, log: $1) }) { server, root, folder in
            let way = try Encryption.h3.transport(to: server.port, .file(root))
            for use in [ConnectionUse.new, .reused] {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.result.malformation == words, "\(exchange.result)")
                #expect(exchange.connection == use)
            }
            if mode != .oversized {
                #expect(folder.notes.count { $0 == "limit 16384" } == 2)
            }
            // The error code H3_REQUEST_CANCELLED.
            #expect(try await eventually { folder.notes.count { $0 == "stopped \(0x10c)" } == 2 })
        }
    }

    @Test(arguments: [QUICResponder.Application.doq, .h3])
    func `unrequested streams have limited room, and do not affect answers`(
        application: QUICResponder.Application
    ) async throws {
        try await withCertified({ QUICResponder(application, .noise, $0, log: $1) }) {
            server,
            root,
            folder in
            let encryption = application == .doq ? Encryption.quic : .h3
            let way = try encryption.transport(to: server.port, .file(root), .fresh)
            let exchange = await way.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            // The server opens twelve streams, and has a MiB of data for each.
            let noise = try #require(
                try await eventualValue {
                    folder.notes.first { $0.hasPrefix("noise ") }.flatMap { Int($0.dropFirst(6)) }
                }
            )
            #expect(noise <= 8 * 256 * 1_024)
        }
    }

    @Test func `data after an answer over QUIC is stopped`() async throws {
        try await withCertified({ QUICResponder(.doq, .babble, $0, log: $1) }) {
            server,
            root,
            folder in
            let way = try Encryption.quic.transport(to: server.port, .file(root))
            for _ in 0..<2 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            }
            // The error code DOQ_REQUEST_CANCELLED.
            #expect(try await eventually { folder.notes.count { $0 == "stopped 3" } == 2 })
        }
    }

    @Test func `content before a header is not an answer`() async throws {
        try await withCertified({ QUICResponder(.h3, .headless, $0, log: $1) }) { server, root, _ in
            let way = try Encryption.h3.transport(to: server.port, .file(root))
            let exchange = await way.exchange(try query(), timeout: .seconds(60))
            #expect(exchange.result.malformation?.hasPrefix("HTTP/3: ") == true)
        }
    }
    #endif
}

extension Exchange.Result {
    fileprivate var malformation: String? {
        if case .malformed(let reason) = self { reason } else { nil }
    }
}
