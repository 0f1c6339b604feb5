import Testing

@testable import Dashboard

/// Access tokens of the dashboard.
@Suite struct AccessTokenTests {
    @Test func `a random token is long and different each time`() {
        let tokens = (0..<100).map { _ in AccessToken.random().text }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.utf8.count == 32 && AccessToken($0) != nil })
    }

    @Test(arguments: [
        "", "short", "has a space in it, see", "with;semicolon;inside", "ümläut-token-1",
    ])
    func `text that requires quoting is rejected as a token`(text: String) {
        #expect(AccessToken(text) == nil)
    }

    @Test func `a token equals only itself`() throws {
        let token = try #require(AccessToken("0123456789abcdef"))
        #expect(token.isSame(as: "0123456789abcdef"))
        for other in [
            "", "0", "0123456789abcde", "0123456789abcdeg", "0123456789abcdef0",
            "0123456789abcdef0123456789abcdef", "1123456789abcdef",
        ] {
            #expect(!token.isSame(as: other), "\(other)")
        }
    }
}
