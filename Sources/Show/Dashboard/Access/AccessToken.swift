import NIOHTTP1

/// The secret that clients on other machines require.
package struct AccessToken: Sendable {
    private let bytes: [UInt8]

    /// Accepts at least 16 visible ASCII characters that need no quoting in an address. Returns `nil` for
    /// other text.
    package init?(_ text: String) {
        guard (16...512).contains(text.utf8.count),
            text.utf8.allSatisfy(RequestTarget.unreserved.contains)
        else { return nil }
        bytes = Array(text.utf8)
    }

    /// A token of 128 random bits.
    package static func random() -> AccessToken {
        let digits = Array("0123456789abcdef".utf8)
        return AccessToken(bytes: (0..<32).map { _ in digits[Int.random(in: digits.indices)] })
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether `other` is the same token. The comparison time does not reveal how much of `other` is correct.
    func isSame(as other: some StringProtocol) -> Bool {
        let given = Array(other.utf8)
        var difference: UInt8 = given.count == bytes.count ? 0 : 1
        for (index, byte) in bytes.enumerated() {
            difference |= byte ^ (given.isEmpty ? 0xff : given[index % given.count])
        }
        return difference == 0
    }
}

/// The cookie in which a browser keeps the token. It is hidden from scripts and from pages of other sites
/// (RFC 6265bis).
struct TokenCookie: Sendable {
    /// Cookies apply to every port of a host, so the cookie's name contains the port.
    let port: UInt16

    private var name: String { "dnstempo-\(port)" }

    func value(in fields: HTTPHeaders) -> Substring? {
        for line in fields["Cookie"] {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(name + "=") { return pair.dropFirst(name.utf8.count + 1) }
            }
        }
        return nil
    }

    /// The value of Set-Cookie that makes a browser keep `token` for a month.
    ///
    /// With `Lax`, the browser also sends the cookie for a followed link in a mail or on another site. With
    /// `Strict`, the page without the token, the target of such a link, would be refused. `Lax` is safe:
    /// ``AccessMiddleware`` refuses every method except GET and HEAD, so requests only read. Content that
    /// another site embeds gets neither the cookie nor an answer.
    func setting(_ token: AccessToken) -> String {
        "\(name)=\(token.text); Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
    }
}
