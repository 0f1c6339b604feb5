import Catalogue
import NIOHTTP1

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
        /// A request from another machine, without the token.
        case token
    }

    enum Pass: Hashable, Sendable {
        case free
        /// The token in the address, which is to be kept out of sight from now on.
        case tokenInAddress
    }

    /// `nil` where everybody on this machine may look.
    let token: AccessToken?

    func check(_ request: HTTPRequestHead, at place: Place?) -> Result<Pass, Refusal> {
        guard request.method == .GET || request.method == .HEAD else { return .failure(.method) }
        let hosts = request.headers["Host"]
        guard let place, hosts.count == 1, let host = hosts.first, place.isCalled(host) else {
            return .failure(.host)
        }
        guard isOfThisSite(request.headers, host: host) else { return .failure(.origin) }
        guard let token else { return .success(.free) }
        // Before the cookie, with which a browser would leave the token in its address and history.
        if let given = RequestTarget(request.uri)["token"], token.isSame(as: given) {
            return .success(.tokenInAddress)
        }
        if let bearer = request.headers.whole("Authorization"), bearer.hasPrefix("Bearer ") {
            return token.isSame(as: bearer.dropFirst(7)) ? .success(.free) : .failure(.token)
        }
        if let cookie = TokenCookie(port: place.port).value(in: request.headers),
            token.isSame(as: cookie)
        {
            return .success(.free)
        }
        return .failure(.token)
    }

    /// Whether the page that asks is one of these, or nobody's: what a user typed or followed as a
    /// link (Fetch Metadata Request Headers).
    private func isOfThisSite(_ fields: HTTPHeaders, host: String) -> Bool {
        if let origin = fields.whole("Origin"), origin.lowercased() != "http://\(host.lowercased())"
        {
            return false
        }
        guard let site = fields.whole("Sec-Fetch-Site"), !["same-origin", "none"].contains(site)
        else {
            return true
        }
        return fields.whole("Sec-Fetch-Mode") == "navigate"
            && fields.whole("Sec-Fetch-Dest") == "document"
    }
}

extension HTTPHeaders {
    /// The value of a field, its lines joined (RFC 9110 §5.3); `nil` where there is none.
    fileprivate func whole(_ name: String) -> String? {
        let lines = self[name]
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }
}
