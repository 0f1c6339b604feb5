import DNSWire
import Testing

@Suite struct CookieTests {
    private static let client: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    private static let server: [UInt8] = Array(11...26)

    private static func query(_ cookie: DNSCookie?) throws -> Query {
        let query = try Query(Question(name: DomainName("example.org"), type: .a))
        return cookie.map(query.carrying) ?? query
    }

    /// Returns the answer to a query, with a cookie in its OPT record.
    private static func answer(to query: Query, cookie: [UInt8]?) -> [UInt8] {
        var answer = Array(query.bytes(id: 7).prefix(12 + 13 + 4))
        answer[2] = 0x81
        let size = UInt8(cookie.map { $0.count + 4 } ?? 0)
        answer += [0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, size]
        if let cookie { answer += [0, 10, 0, UInt8(cookie.count)] + cookie }
        return answer
    }

    @Test func `the server's part of the cookie is in the next query`() throws {
        var cookie = DNSCookie(client: 0x0102_0304_0506_0708)
        let query = try Self.query(cookie)
        #expect(query.size == 40 + 4 + 8)
        let option = Self.client + Self.server
        let reading = query.read(Self.answer(to: query, cookie: option).span, id: 7)
        guard case .response(let response) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(response.cookie == option)
        cookie.take(option)
        #expect(cookie.server == Self.server)
        #expect(try Self.query(cookie).bytes(id: 1).suffix(24) == option)
        cookie.take(Self.client)
        #expect(cookie.server == Self.server)
    }

    static let wrong: [[UInt8]] = [
        [], [1], [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 9],
        [9, 2, 3, 4, 5, 6, 7, 8] + server, client + [1, 2, 3, 4, 5, 6, 7],
        client + [UInt8](repeating: 0, count: 33),
    ]

    @Test(arguments: wrong)
    func `an answer with another cookie is rejected`(option: [UInt8]) throws {
        var cookie = DNSCookie(client: 0x0102_0304_0506_0708)
        let query = try Self.query(cookie)
        let answer = Self.answer(to: query, cookie: option)
        #expect(query.read(answer.span, id: 7) == .stray(.wrongCookie))
        cookie.take(option)
        #expect(cookie.server == [])
    }

    @Test func `a cookie is read only if the query had one`() throws {
        let query = try Self.query(DNSCookie())
        let plain = try Self.query(nil)
        for (asked, option) in [(query, nil), (plain, Self.server)] {
            let reading = asked.read(Self.answer(to: asked, cookie: option).span, id: 7)
            guard case .response(let response) = reading else {
                Issue.record("\(reading)")
                return
            }
            #expect(response.cookie == nil)
        }
    }

    @Test func `each client has its own cookie`() {
        #expect(Set((0..<100).map { _ in DNSCookie().client }).count == 100)
        #expect(DNSCookie().bytes.count == 8)
    }
}
