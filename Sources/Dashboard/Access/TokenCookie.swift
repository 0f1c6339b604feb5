import HTTPTypes

/// Where a browser keeps the token: hidden from scripts, and from pages of other sites (RFC 6265bis).
struct TokenCookie: Sendable {
    /// Cookies are for every port of a host.
    let port: UInt16

    private var name: String { "dnstempo-\(port)" }

    /// What the browser sent of it.
    func value(in fields: HTTPFields) -> Substring? {
        for line in fields[values: .cookie] {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(name + "=") { return pair.dropFirst(name.utf8.count + 1) }
            }
        }
        return nil
    }

    /// The field that has a browser keep `token` for a month.
    func field(_ token: AccessToken) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: "\(name)=\(token.text); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
        )
    }
}
