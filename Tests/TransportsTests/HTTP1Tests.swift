import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

/// DNS over HTTPS to servers that only support HTTP/1.1.
@Suite struct HTTP1Tests {
    @Test(arguments: HTTPMethod.allCases)
    func `nginx without HTTP/2 returns the answers of unbound`(method: HTTPMethod) async throws {
        try await withNginx(hasHTTP2: false) { nginx, root, _ in
            try await withServer(nginx) { server in
                let kept = try Encryption.https.transport(to: server.port, root, method)
                try await kept.expectAnswers(over: [.new, .reused, .reused]) { exchange in
                    #expect(exchange.isOverHTTP1)
                    #expect(exchange.clock == .kernel)
                }
                // A ticket does not permit an early query, because early queries are written for
                // HTTP/2.
                let resuming = try Encryption.https.transport(
                    to: server.port,
                    root,
                    method,
                    .resume
                )
                try await resuming.expectAnswers(over: [.new, .resumed, .resumed])
            }
        }
    }

    @Test(arguments: [HTTPSResponder.Mode.old, .unnamed, .chunked], HTTPMethod.allCases)
    func `answers are read with any declared length`(
        mode: HTTPSResponder.Mode,
        method: HTTPMethod
    ) async throws {
        try await withHTTPSResponder(mode) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root, method)
            try await way.expectAnswers(over: [.new, .reused]) { #expect($0.isOverHTTP1) }
            #expect(folder.notes.count { $0.hasPrefix("connection") } == 1)
            let queries = folder.notes.filter { $0.hasPrefix("query") }
            let verb = method == .post ? "POST" : "GET"
            #expect(
                queries.allSatisfy { $0 == "query \(verb) dot.test:\(server.port)/dns-query 128 0" }
            )
            #expect(queries.count == 2)
        }
    }

    @Test(arguments: [HTTPSResponder.Mode.unended, .leaving])
    func `a connection that ends is replaced`(mode: HTTPSResponder.Mode) async throws {
        try await withHTTPSResponder(mode) { server, root, _ in
            let way = try Encryption.https.transport(to: server.port, root)
            try await way.expectAnswers(over: [.new, .new])
        }
    }

    @Test func `concurrent queries use separate connections or wait`() async throws {
        try await withHTTPSResponder(.old) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            for exchange in try await way.exchanges(5) + way.exchanges(5) {
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            }
            #expect(folder.notes.count { $0.hasPrefix("query") } == 10)
            // All connections are closed except the last one, which is kept open.
            let closed = try await eventually {
                let connections = folder.notes.count { $0.hasPrefix("connection") }
                return folder.notes.count { $0 == "closed" } == connections - 1
            }
            #expect(closed, "\(folder.notes)")
        }
    }

    @Test(arguments: [HTTPSResponder.Mode.unended, .leaving])
    func `queries of a closed connection use a new one`(mode: HTTPSResponder.Mode) async throws {
        try await withHTTPSResponder(mode) { server, root, folder in
            let way = try Encryption.https.transport(to: server.port, root)
            for exchange in try await way.exchanges(4) {
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
                #expect(exchange.connection == .new)
            }
            #expect(folder.notes.count { $0.hasPrefix("query") } == 4)
        }
    }

    @Test func `an answer without a request ends the connection`() async throws {
        try await withHTTPSResponder(.double) { server, root, _ in
            let way = try Encryption.https.transport(to: server.port, root)
            for _ in 0..<3 {
                let exchange = await way.exchange(try query(), timeout: .seconds(60))
                #expect(exchange.response?.addresses == [[192, 0, 2, 1]], "\(exchange.result)")
            }
        }
    }
}

/// A reader for HTTP/1.1, with input in pieces of every size.
@Suite struct HTTP1ReaderTests {
    /// Returns what the reader reports: status, type, content, and whether the connection stays
    /// open.
    private func read(_ text: String, pieces size: Int) throws -> [String] {
        var reader = HTTP1Reader()
        var said: [String] = []
        var content: [UInt8] = []
        func take(_ events: [HTTP1Reader.Event]) {
            for event in events {
                switch event {
                case .field(.status(let status)): said.append("status \(status ?? 0)")
                case .field(.contentType(let type)): said.append("type \(type)")
                case .field: break
                case .content(let octets): content += octets
                case .excess(let words): said.append("excess \(words)")
                case .end(let staysOpen):
                    said.append("'\(String(decoding: content, as: UTF8.self))'")
                    said.append(staysOpen ? "stays" : "closes")
                    content = []
                }
            }
        }
        let octets = Array(text.utf8)
        for start in stride(from: 0, to: octets.count, by: size) {
            var rest = octets[start..<min(start + size, octets.count)]
            while !rest.isEmpty, !said.contains(where: { $0.hasPrefix("excess") }) {
                let (events, count) = try reader.take(rest)
                take(events)
                rest = rest.dropFirst(count)
            }
        }
        if let event = reader.takeEnd() { take([event]) }
        return said
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    static let answers: [(text: String, said: [String])] = [
        (
            ok + "Content-Type: a/b\r\ncontent-length: 3\r\n\r\nabc",
            ["status 200", "type a/b", "'abc'", "stays"]
        ),
        (
            ok + "CONTENT-LENGTH:0\r\nConnection: Upgrade, Close\r\n\r\n",
            ["status 200", "''", "closes"]
        ),
        (
            ok
                + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0A;x=y\r\n0123456789\r\n0\r\nt: u\r\n\r\n",
            ["status 200", "'a0123456789'", "stays"]
        ),
        (ok + "\r\nabc", ["status 200", "'abc'", "closes"]),
        ("HTTP/1.0 200 \r\nContent-Length: 1\r\n\r\na", ["status 200", "'a'", "closes"]),
        (
            "HTTP/1.0 200\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\na",
            ["status 200", "'a'", "stays"]
        ),
        (
            "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx",
            ["status 103", "status 404", "'x'", "stays"]
        ),
        (
            "HTTP/1.1 204 No\r\n\r\n" + ok + "Content-Length: 1\r\n\r\nb",
            ["status 204", "''", "stays", "status 200", "'b'", "stays"]
        ),
        (
            ok + String(repeating: "a: b\r\n", count: 70),
            ["status 200", "excess more than 64 header fields"]
        ),
        (
            String(repeating: "HTTP/1.1 102 x\r\n\r\n", count: 9),
            (1...8).map { _ in "status 102" } + ["excess more than 8 interim answers"]
        ),
    ]

    @Test(arguments: answers, [1, 2, 7, 10_000])
    func `an answer is the same in any segmentation`(
        answer: (text: String, said: [String]),
        size: Int
    ) throws {
        #expect(try read(answer.text, pieces: size) == answer.said)
    }

    @Test(
        arguments: [
            ("SSH-2.0-x\r\n", "no answer of HTTP/1.1"),
            ("HTTP/2.0 200 OK\r\n", "no answer of HTTP/1.1"),
            ("HTTP/1.1 20 OK\r\n", "no answer of HTTP/1.1"),
            ("HTTP/1.1 200 OK\n", "does not end in CRLF"),
            (ok + "a b: c\r\n", "without a name"), (ok + " folded\r\n", "without a name"),
            (ok + ": c\r\n", "without a name"), (ok + "name : c\r\n", "without a name"),
            (ok + "Content-Length: -1\r\n", "an invalid content length"),
            (ok + "Content-Length: 1, 1\r\n", "an invalid content length"),
            (ok + "Content-Length: 1\r\nContent-Length: 2\r\n", "an invalid content length"),
            (ok + "Content-Length: 9999999999\r\n", "an invalid content length"),
            (ok + "Transfer-Encoding: gzip, chunked\r\n", "transfer encoding other"),
            (ok + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", "two lengths"),
            (ok + "Transfer-Encoding: chunked\r\n\r\n-1\r\n", "chunk without a size"),
            (ok + "Transfer-Encoding: chunked\r\n\r\n123456789\r\n", "chunk without a size"),
            (ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "longer than it says"),
            ("HTTP/1.1 101 Switch\r\n\r\n", "a switch of protocol"),
            (ok + String(repeating: "a", count: 8_193), "a line of more than 8192 bytes"),
            (
                ok + "Transfer-Encoding: chunked\r\n\r\n"
                    + String(
                        repeating: "1;" + String(repeating: "x", count: 4_000) + "\r\na\r\n",
                        count: 80
                    ),
                "too many chunks"
            ),
        ],
        [1, 10_000]
    )
    func `an answer with an ambiguous end is rejected`(
        answer: (text: String, reason: String),
        size: Int
    ) throws {
        let fault = #expect(throws: HTTP1Reader.Fault.self) { try read(answer.text, pieces: size) }
        #expect(fault?.reason.contains(answer.reason) == true, "\(String(describing: fault))")
    }
}
