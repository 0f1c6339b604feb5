import CSockets
import Catalogue
import DNSWire
import Testing

@testable import Transports

extension HTTPAnswer {
    /// An answer with these fields and this content.
    fileprivate init(_ fields: [(String, String)], _ content: [UInt8]) {
        self.init()
        let arrival = Arrival(clocks: cs_read_clocks())
        for field in fields {
            if let field = HTTPField(field.0.utf8, field.1.utf8) { take(field, arrival) }
        }
        take(content, arrival)
    }
}

@Suite struct HTTPRequestTests {
    private static func service(
        _ method: HTTPMethod,
        port: UInt16 = 443,
        path: String? = nil,
        name: String = "doh.test"
    ) throws -> HTTPService {
        HTTPService(try .onLoopback(.https, port, .anybody, name: name), path: path, method: method)
    }

    /// The example of RFC 8484 §4.1.1.
    @Test func `a GET query has the URL of the standard's example`() throws {
        let asked = try query("www.example.com")
        var message = asked.bytes(id: 0)
        // The standard's example has no EDNS.
        message[11] = 0
        let request = HTTPRequest(Array(message.prefix(33)), to: try Self.service(.get))
        #expect(
            request.fields.map { "\($0.name)=\($0.value)" } == [
                ":method=GET", ":scheme=https", ":authority=doh.test",
                ":path=/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB",
                "accept=application/dns-message",
            ]
        )
        #expect(request.content.isEmpty)
    }

    @Test func `a query is posted with its size`() throws {
        let service = try Self.service(.post, port: 8443, path: "/q?a=b")
        let request = HTTPRequest([1, 2, 3], to: service)
        let fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) })
        #expect(fields[":path"] == "/q?a=b")
        #expect(fields[":authority"] == "doh.test:8443")
        #expect(fields["content-type"] == "application/dns-message")
        #expect(fields["content-length"] == "3")
        #expect(request.content == [1, 2, 3])
    }

    @Test func `an IPv6 address is in brackets, and the path's query string is extended`() throws {
        let service = try Self.service(.get, path: "/q?a=b", name: "::1")
        let fields = HTTPRequest([0xfb, 0xff], to: service).fields
        #expect(fields.contains { $0.name == ":authority" && $0.value == "[::1]" })
        #expect(fields.contains { $0.name == ":path" && $0.value == "/q?a=b&dns=-_8" })
    }

    @Test(
        arguments: [
            ([(":status", "404"), ("content-type", "text/html")], 0, "HTTP status 404"),
            ([(":status", "301")], 0, "HTTP status 301"),
            ([("content-type", "application/dns-message")], 0, "no HTTP status"),
            ([(":status", "200")], 0, "no content type, not 'application/dns-message'"),
            (
                [(":status", "200"), ("content-type", "text/html; charset=utf-8")], 0,
                "content type 'text/html', not 'application/dns-message'"
            ),
            (
                [(":status", "200"), ("content-type", "application/dns-message")], 70_000,
                "more than 65535 bytes"
            ),
            (
                [(":status", "200"), ("content-type", "application/dns-message")], 65_535,
                "the answer is a query"
            ),
            (
                [(":status", "200"), ("content-type", "application/dns-message")], 0,
                "the answer has another ID"
            ),
        ] as [([(String, String)], Int, String)]
    )
    func `a response that is not an answer is reported with its reason`(
        fields: [(String, String)],
        size: Int,
        words: String
    ) async throws {
        let asked = try query("example.com")
        let answer = HTTPAnswer(fields, [UInt8](repeating: 0, count: size))
        let result = await Task { @EventLoopActor in
            answer.result(for: Attempt(asked.padded, id: 0))
        }.value
        guard case .malformed(let reason) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason == words)
    }

    @Test(
        arguments: [
            ([(":status", "301"), ("location", "/there\u{1b}")], "http-status 301 /there\\027"),
            ([(":status", "404"), ("location", "/there")], "http-status 404"),
            ([(":status", "405"), ("allow", "GET, HEAD")], "http-status 405 GET, HEAD"),
            ([(":status", "429"), ("retry-after", "30")], "http-status 429 30"),
            ([(":status", "503"), ("retry-after", "60")], "http-status 503 60"),
            ([(":status", "103"), ("location", "/x"), (":status", "302")], "http-status 302"),
            ([(":status", "200"), ("content-type", "text/html")], "content-type text/html"),
            ([(":status", "200")], "content-type"),
            (
                [(":status", "200"), ("content-type", "application/dns-message")],
                "message has another ID"
            ),
        ] as [([(String, String)], String)]
    )
    func `the cause contains the status and the field that explains it`(
        fields: [(String, String)],
        cause: String
    ) async throws {
        let asked = try query("example.com")
        let answer = HTTPAnswer(fields, [0xff, 0xff, 0xff])
        let found = await Task { @EventLoopActor in
            answer.cause(for: Attempt(asked.padded, id: 0))
        }.value
        #expect(found?.description == cause)
    }

    @Test func `an encrypted query has no padding if its options exclude it`() throws {
        let asked = try query("example.com")
        var options = asked.options
        options.isPadded = false
        let bare = try Query(asked.question, options: options)
        #expect(asked.padded.size % 128 == 0)
        #expect(bare.padded.size == bare.size && bare.size < 128)
    }

    @Test func `only the final answer counts, its content type in any letter case`() async throws {
        let asked = try query("example.com")
        let result = await Task { @EventLoopActor in
            let attempt = Attempt(asked.padded, id: 0)
            var message = attempt.message
            message[2] |= 0x80
            let fields = [
                (":status", "103"), ("link", "x"), (":status", "200"),
                ("content-type", "Application/DNS-Message; q=1"),
            ]
            return HTTPAnswer(fields, message).result(for: attempt)
        }.value
        guard case .response(let response) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response.code == .noError)
    }
}
