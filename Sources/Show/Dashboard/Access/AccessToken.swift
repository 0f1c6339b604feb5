import NIOHTTP1

/// Secret that whoever asks from another machine must know.
package struct AccessToken: Sendable {
    private let octets: [UInt8]

    /// A word of at least 16 visible ASCII characters that need no quoting in an address.
    package init?(_ text: String) {
        guard (16...512).contains(text.utf8.count),
            text.utf8.allSatisfy(RequestTarget.unreserved.contains)
        else { return nil }
        octets = Array(text.utf8)
    }

    /// 128 random bits.
    package static func random() -> AccessToken {
        let digits = Array("0123456789abcdef".utf8)
        return AccessToken(octets: (0..<32).map { _ in digits[Int.random(in: digits.indices)] })
    }

    private init(octets: [UInt8]) { self.octets = octets }

    package var text: String { String(decoding: octets, as: UTF8.self) }

    /// Whether `other` is the same, in a time that does not tell how much of it is right.
    func isSame(as other: some StringProtocol) -> Bool {
        let given = Array(other.utf8)
        var difference: UInt8 = given.count == octets.count ? 0 : 1
        for (index, octet) in octets.enumerated() {
            difference |= octet ^ (given.isEmpty ? 0xff : given[index % given.count])
        }
        return difference == 0
    }
}

/// Where a browser keeps the token: hidden from scripts, and from pages of other sites (RFC 6265bis).
struct TokenCookie: Sendable {
    /// Cookies are for every port of a host.
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

    /// The value of Set-Cookie that has a browser keep `token` for a month.
    ///
    /// `Lax` has it sent also where a link in a mail or on another site is followed: with `Strict`, the
    /// page without the token, to which such a link leads, would be refused. That is safe: requests only
    /// read, since ``AccessMiddleware`` refuses every method but GET and HEAD, and what another site
    /// embeds gets neither the cookie nor an answer.
    func setting(_ token: AccessToken) -> String {
        "\(name)=\(token.text); Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
    }
}
