import Foundation
import Servers
import Testing

/// Requests that are too large, too slow or too many.
@Suite struct ServeLimitTests {
    private static let samples: String? = try? Rounds(start: "2026-03-16T00:00:00Z", count: 4)
        .file { .answer(10 + 5 * Double($0.resolver) + $0.noise) }

    @Test(arguments: [
        "Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: 99999999999",
    ])
    func `a request body is rejected before it is read`(field: String) async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let connection = try RawHTTP(served.address)
            connection.send(
                "GET / HTTP/1.1\r\nHost: \(served.address)\r\n\(field)\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            )
            let reply = await connection.receive { $0.isClosed }
            #expect(reply.status == 413 && reply.isClosed)
            #expect(!reply.body.contains("HTTP/1.1"))
            #expect(try await served.ask().status == 200)
        }
    }

    /// The dashboard has no handler for the bytes after such a request.
    @Test(arguments: [
        ("GET / HTTP/1.1", "Connection: Upgrade\r\nUpgrade: h2c", 200),
        ("CONNECT a:1 HTTP/1.1", "X: y", 405),
    ])
    func `no other protocol is served`(line: String, fields: String, status: Int) async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let head = "\(line)\r\nHost: \(served.address)\r\n\(fields)\r\n\r\n"
            let connection = try RawHTTP(served.address)
            connection.send(head)
            let reply = await connection.receive { $0.isClosed }
            #expect(reply.status == status && reply.isClosed)
            #expect(reply.field("connection") == "close")
            let other = try RawHTTP(served.address)
            other.send(head)
            for _ in 0..<16 { other.send(String(repeating: "x", count: 1 << 16)) }
            #expect(await other.receive { $0.isClosed }.isClosed)
            #expect(try await served.ask().status == 200)
        }
    }

    /// The rejected requests by name. The tests have the names as arguments, because the test log contains
    /// all arguments.
    private static let refused = [
        "a long path": "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n",
        "a long field":
            "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 100_000))\r\nHost: x\r\n",
        "many fields":
            "GET / HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 5_000) + "Host: x\r\n",
        "a field without a colon": "GET / HTTP/1.1\r\nHost x\r\n",
        "nonsense": "nonsense\r\n",
        "control characters": "\u{0}\u{1}\u{2}\r\n",
        "a negative length": "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n",
        "no path": "GET  HTTP/1.1\r\nHost: x\r\n",
        "another protocol": "PRI * HTTP/2.0\r\n\r\nSM\r\n",
    ]

    @Test(arguments: refused.keys.sorted())
    func `an oversized or invalid request does not affect others`(name: String) async throws {
        let text = try #require(Self.refused[name]) + "\r\n"
        try await Binary.withServe(samples: Self.samples) { served in
            let connection = try RawHTTP(served.address)
            connection.send(text)
            let reply = await connection.receive { $0.isClosed || $0.text.contains("\r\n\r\n") }
            #expect(reply.isClosed || (400..<500).contains(reply.status ?? 0))
            #expect(try await served.ask().status == 200)
            #expect(!served.process.hasEnded)
        }
    }

    @Test func `a thousand connections at once are all answered`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<1_000 {
                    let path = number % 2 == 0 ? "/" : "/api/window?window=\(1 + number % 4)h"
                    group.addTask {
                        func ask() async throws -> Int? {
                            try await served.ask(path, fields: ["Connection: close"]).status
                        }
                        // The dashboard may have closed a connection that had not sent anything, to serve
                        // other connections.
                        if let status = try await ask() { return status }
                        return try await ask()
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses.keys.allSatisfy { $0 == 200 || $0 == 503 }, "\(statuses)")
            #expect(statuses[200, default: 0] >= 500, "\(statuses)")
            #expect(try await served.ask().status == 200)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: ", ""])
    func `idle connections are closed for new ones, the oldest first`(sent: String) async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            // These are more connections than the dashboard serves at once. No connection completes its
            // request.
            let slow = try (0..<500).map { _ in
                let connection = try RawHTTP(served.address)
                if !sent.isEmpty { connection.send(sent) }
                return connection
            }
            #expect(try await served.ask().status == 200)
            // The newest connections stay open. This connection completes its request first, because a
            // connection without a request head is also closed after some time.
            let request =
                "\(sent.isEmpty ? "GET / HTTP/1.1\r\nHost: " : "")\(served.address)\r\n\r\n"
            let last = slow[499]
            last.send(request)
            #expect(await last.receive().status == 200)
            for connection in slow[..<300] {
                let reply = await connection.receive { $0.isClosed }
                #expect(reply.isClosed && reply.text == "")
            }
        }
    }
}
