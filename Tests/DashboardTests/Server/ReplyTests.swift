import Catalogue
import Failures
import NIOHTTP1
import Testing

@testable import Dashboard

/// The replies to clients without access.
@Suite struct ReplyTests {
    @Test func `a reply to a request without a token explains how to send it`() {
        let reply = Reply.refusal(.token)
        #expect(reply.status == .unauthorized)
        #expect(reply.fields["WWW-Authenticate"] == [#"Bearer realm="dnstempo""#])
        let others: [AccessMiddleware.Refusal] = [.method, .host, .origin]
        for other in others {
            #expect(!Reply.refusal(other).fields.contains(name: "WWW-Authenticate"))
        }
    }

    @Test(arguments: [
        (
            words: "--since (2026-05-02) is not before --until (2026-05-01)",
            told: "since (2026-05-02) is not before until (2026-05-01)"
        ),
        ("--baseline: 'my--dns' was not measured", "baseline: 'my--dns' was not measured"),
        ("'--since' did not measure", "'--since' did not measure"),
    ])
    func `replies omit the dashes of options, but not of names`(words: String, told: String) {
        let reply = Reply.failure(CatalogueError(.usage, words), RequestTarget("/api/window"))
        #expect(reply.status == .badRequest && reply.text.contains("\"\(told)\""))
    }

    /// With `SameSite=Strict`, the browser would not send the cookie after a link in a mail. The page would
    /// then be refused.
    @Test func `a link with the token leads to the page without it`() throws {
        let token = try #require(AccessToken("0123456789abcdef"))
        let address = try #require(IPAddress("127.0.0.1"))
        let reply = Reply.withoutToken(
            RequestTarget("/?token=0123456789abcdef&window=24h"),
            token,
            AccessMiddleware.Place(address: address, port: 8053)
        )
        #expect(reply.status == .seeOther)
        #expect(reply.fields["Location"] == ["/?window=24h"])
        let cookie = try #require(reply.fields["Set-Cookie"].first)
        let parts = cookie.split(separator: "; ")
        #expect(parts.first == "dnstempo-8053=0123456789abcdef")
        #expect(parts.contains("HttpOnly") && parts.contains("SameSite=Lax"))
    }
}
