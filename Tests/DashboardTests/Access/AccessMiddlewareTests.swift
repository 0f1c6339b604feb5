import Catalogue
import NIOHTTP1
import Testing

@testable import Dashboard

/// The access control of requests.
@Suite struct AccessMiddlewareTests {
    private func place(_ address: String, port: UInt16 = 8053) throws -> AccessMiddleware.Place {
        AccessMiddleware.Place(address: try #require(IPAddress(address)), port: port)
    }

    private func request(
        _ path: String = "/",
        host: String? = "127.0.0.1:8053",
        method: NIOHTTP1.HTTPMethod = .GET,
        _ fields: HTTPHeaders = [:]
    ) -> HTTPRequestHead {
        var fields = fields
        if let host { fields.add(name: "Host", value: host) }
        return HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: fields)
    }

    @Test(arguments: [
        (host: "127.0.0.1:8053", address: "127.0.0.1"), ("localhost:8053", "127.0.0.1"),
        ("LOCALHOST:8053", "127.0.0.1"), ("[::1]:8053", "::1"), ("localhost:8053", "::1"),
        ("[0:0:0:0:0:0:0:1]:8053", "::1"), ("192.168.1.5:8053", "192.168.1.5"),
        ("127.0.0.1:8053", "::ffff:127.0.0.1"),
    ])
    func `a request for the server's address is allowed`(host: String, address: String) throws {
        let access = AccessMiddleware(token: nil)
        let result = access.check(request(host: host), at: try place(address))
        #expect(result == .success(.free))
    }

    @Test(arguments: [
        ("dns.example", true), ("DNS.example", true), ("localhost:8080", true),
        ("dns.example:8053", false), ("localhost", false), ("evil.example", false),
    ])
    func `a request for a named host is allowed`(host: String, isAllowed: Bool) throws {
        let access = AccessMiddleware(token: nil, hosts: ["dns.example", "localhost:8080"])
        let result = access.check(request(host: host), at: try place("172.17.0.2"))
        #expect(result == (isAllowed ? .success(.free) : .failure(.host)))
    }

    @Test(arguments: [
        (host: "evil.example:8053", address: "127.0.0.1"), ("evil.example", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1:80", "127.0.0.1"),
        ("127.0.0.1:8053.evil.example", "127.0.0.1"), ("127.0.0.1.evil.example:8053", "127.0.0.1"),
        ("localhost.evil.example:8053", "127.0.0.1"), ("localhost:8053", "192.168.1.5"),
        ("127.0.0.2:8053", "127.0.0.1"), ("user@127.0.0.1:8053", "127.0.0.1"),
        ("127.0.0.1:+8053", "127.0.0.1"), ("127.0.0.1:108053", "127.0.0.1"),
        ("127.0.0.1:", "127.0.0.1"), ("", "127.0.0.1"), (":8053", "127.0.0.1"),
        ("::1:8053", "::1"), ("[::1", "::1"), ("[::1]8053", "::1"),
        ("[127.0.0.1]:8053", "127.0.0.1"),
    ])
    func `a request for another host name is refused`(host: String, address: String) throws {
        let access = AccessMiddleware(token: nil)
        let result = access.check(request(host: host), at: try place(address))
        #expect(result == .failure(.host))
    }

    @Test func `requests with two host names or none are refused`() throws {
        let access = AccessMiddleware(token: nil)
        let place = try place("127.0.0.1")
        #expect(access.check(request(["Host": "evil.example"]), at: place) == .failure(.host))
        #expect(access.check(request(host: nil), at: place) == .failure(.host))
    }

    @Test func `the host name may omit the default port`() throws {
        let access = AccessMiddleware(token: nil)
        let place = try place("127.0.0.1", port: 80)
        #expect(access.check(request(host: "127.0.0.1"), at: place) == .success(.free))
    }

    @Test(arguments: [
        "http://evil.example", "null", "https://127.0.0.1:8053", "http://127.0.0.1:8054",
        "http://localhost:8053", "http://127.0.0.1:8053.evil.example", "",
    ])
    func `a request from another origin is refused`(origin: String) throws {
        let result = AccessMiddleware(token: nil)
            .check(request(["Origin": origin]), at: try place("127.0.0.1"))
        #expect(result == .failure(.origin))
    }

    @Test(arguments: [
        (site: "cross-site", mode: "no-cors", dest: "image", isLetIn: false),
        ("same-site", "cors", "empty", false), ("cross-site", "navigate", "iframe", false),
        ("cross-site", "navigate", "document", true), ("same-origin", "cors", "empty", true),
        ("none", "navigate", "document", true),
    ])
    func `embedding by another site is refused, a link is allowed`(
        site: String,
        mode: String,
        dest: String,
        isLetIn: Bool
    ) throws {
        let fields: HTTPHeaders = [
            "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest,
        ]
        let result = AccessMiddleware(token: nil).check(request(fields), at: try place("127.0.0.1"))
        #expect(result == (isLetIn ? .success(.free) : .failure(.origin)))
    }

    @Test(arguments: [NIOHTTP1.HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .CONNECT, .PATCH])
    func `only read requests are allowed`(method: NIOHTTP1.HTTPMethod) throws {
        let result = AccessMiddleware(token: nil)
            .check(request(method: method), at: try place("127.0.0.1"))
        #expect(result == .failure(.method))
    }

    @Test func `a request with the correct token is allowed`() throws {
        let token = AccessToken.random()
        let access = AccessMiddleware(token: token)
        let place = try place("127.0.0.1")
        func check(_ path: String = "/", _ fields: HTTPHeaders = [:]) -> Result<
            AccessMiddleware.Pass, AccessMiddleware.Refusal
        > { access.check(request(path, fields), at: place) }
        let none = Result<AccessMiddleware.Pass, AccessMiddleware.Refusal>.failure(.token)
        #expect(check() == none)
        #expect(check("/?token=\(token.text)x") == none)
        #expect(check("/", ["Authorization": "Basic \(token.text)"]) == none)
        #expect(check("/", ["Cookie": "dnstempo-80=\(token.text)"]) == none)
        #expect(check("/?token=\(token.text)") == .success(.tokenInAddress))
        #expect(check("/", ["Authorization": "Bearer \(token.text)"]) == .success(.free))
        let cookies = "a=b; dnstempo-8053=\(token.text); c=d"
        #expect(check("/", ["Cookie": cookies]) == .success(.free))
    }

    @Test func `the token is removed from an address even with a cookie`() throws {
        let token = AccessToken.random()
        let access = AccessMiddleware(token: token)
        let place = try place("127.0.0.1")
        let cookie: HTTPHeaders = ["Cookie": "dnstempo-8053=\(token.text)"]
        let bearer: HTTPHeaders = ["Authorization": "Bearer \(token.text)"]
        for fields in [cookie, bearer] {
            let result = access.check(request("/compare?token=\(token.text)", fields), at: place)
            #expect(result == .success(.tokenInAddress))
        }
        // A token from an earlier start is ignored. The cookie gives access, and the address keeps the token.
        let earlier = access.check(request("/?token=0123456789abcdef", cookie), at: place)
        #expect(earlier == .success(.free))
    }
}

extension AccessMiddlewareTests {
    private func request(_ fields: HTTPHeaders) -> HTTPRequestHead { request("/", fields) }
}
