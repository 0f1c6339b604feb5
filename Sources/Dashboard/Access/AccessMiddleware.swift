import Catalogue
import HTTPTypes

/// Access to the dashboard, decided by the head of a request alone.
struct AccessMiddleware: Sendable {
    /// Where a request came in.
    struct Place: Hashable, Sendable {
        var address: IPAddress
        var port: UInt16

        /// Whether `127.0.0.1:8053` or the like names it; on this machine `localhost` does too.
        func isCalled(_ authority: String) -> Bool {
            let (host, digits) = Endpoint.split(authority[...])
            // An IPv6 address stands in brackets, and nothing else does.
            guard host.contains(":") == authority.hasPrefix("["),
                digits.map({ Endpoint.port($0) }) ?? 80 == port
            else { return false }
            if host.lowercased() == "localhost" { return address.isLoopback }
            return IPAddress(host)?.unmapped.octets == address.unmapped.octets
        }
    }

    enum Refusal: Error, Hashable {
        /// Nothing is changed here.
        case method
        /// Another name leads here: that of an attacker's site, perhaps (DNS rebinding).
        case host
        /// Another site asks.
        case origin
        /// Who asks from another machine does not know the token.
        case token
    }

    enum Pass: Hashable, Sendable {
        case free
        /// The token in the address, which is to be kept out of sight from now on.
        case tokenInAddress
    }

    /// `nil` where everybody on this machine may look.
    let token: AccessToken?

    func check(_ request: HTTPRequest, at place: Place?) -> Result<Pass, Refusal> {
        guard request.method == .get || request.method == .head else { return .failure(.method) }
        guard let place, let host = request.authority,
            request.headerFields[values: .hostField].isEmpty,
            place.isCalled(host)
        else { return .failure(.host) }
        guard isOfThisSite(request, host: host) else { return .failure(.origin) }
        guard let token else { return .success(.free) }
        if let bearer = request.headerFields[.authorization], bearer.hasPrefix("Bearer ") {
            return token.isSame(as: bearer.dropFirst(7)) ? .success(.free) : .failure(.token)
        }
        if let cookie = TokenCookie(port: place.port).value(in: request.headerFields),
            token.isSame(as: cookie)
        {
            return .success(.free)
        }
        if let given = RequestTarget(request.path ?? "/")["token"], token.isSame(as: given) {
            return .success(.tokenInAddress)
        }
        return .failure(.token)
    }

    /// Whether the page that asks is one of these, or nobody's: what a user typed or followed as a
    /// link (Fetch Metadata Request Headers).
    private func isOfThisSite(_ request: HTTPRequest, host: String) -> Bool {
        let fields = request.headerFields
        if let origin = fields[.origin], origin.lowercased() != "http://\(host.lowercased())" {
            return false
        }
        guard let site = fields[.secFetchSite], !["same-origin", "none"].contains(site) else {
            return true
        }
        return fields[.secFetchMode] == "navigate" && fields[.secFetchDest] == "document"
    }
}

extension HTTPField.Name {
    /// Field for the host, or what is left of it where there are several.
    static let hostField = HTTPField.Name("Host") ?? .via
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest") ?? .origin
    static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .origin
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
