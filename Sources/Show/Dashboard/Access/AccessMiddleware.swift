import Catalogue
import NIOHTTP1

/// Access control for the dashboard. It decides from the head of a request alone.
struct AccessMiddleware: Sendable {
    /// The local and remote address of a request.
    struct Place: Hashable, Sendable {
        var address: IPAddress
        var port: UInt16

        /// Whether `authority` names this place, such as `127.0.0.1:8053`. On the local machine, `localhost`
        /// names it too.
        func isCalled(_ authority: String) -> Bool {
            let (host, digits) = Endpoint.split(authority[...])
            // Only IPv6 addresses have brackets.
            guard host.contains(":") == authority.hasPrefix("["),
                digits.map({ Endpoint.port($0) }) ?? 80 == port
            else { return false }
            if host.lowercased() == "localhost" { return address.isLoopback }
            return IPAddress(host)?.unmapped.bytes == address.unmapped.bytes
        }
    }

    enum Refusal: Error, Hashable {
        /// The method is not read-only.
        case method
        /// The request uses another host name, possibly of an attacker's site (DNS rebinding).
        case host
        /// The request comes from another site.
        case origin
        /// The request comes from another machine without the token.
        case token
    }

    enum Pass: Hashable, Sendable {
        case free
        /// The address contains the token, which must be removed from view.
        case tokenInAddress
    }

    /// The required token. `nil` if every client on this machine has access.
    let token: AccessToken?
    /// The names, with their ports, by which requests may call the server besides its address. They are in
    /// lower case.
    var hosts: Set<String> = []

    func check(_ request: HTTPRequestHead, at place: Place?) -> Result<Pass, Refusal> {
        guard request.method == .GET || request.method == .HEAD else { return .failure(.method) }
        let names = request.headers["Host"]
        guard let place, names.count == 1, let host = names.first,
            place.isCalled(host) || hosts.contains(host.lowercased())
        else { return .failure(.host) }
        guard isOfThisSite(request.headers, host: host) else { return .failure(.origin) }
        guard let token else { return .success(.free) }
        // The token is checked before the cookie. Otherwise a browser would keep the token in its address bar
        // and history.
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

    /// Whether the request comes from a page of this dashboard, or directly from the user: a typed address or
    /// a followed link (Fetch Metadata Request Headers).
    private func isOfThisSite(_ fields: HTTPHeaders, host: String) -> Bool {
        // A proxy in front of a named server may encrypt.
        let name = host.lowercased()
        let own = ["http://\(name)"] + (hosts.contains(name) ? ["https://\(name)"] : [])
        if let origin = fields.whole("Origin"), !own.contains(origin.lowercased()) { return false }
        guard let site = fields.whole("Sec-Fetch-Site"), !["same-origin", "none"].contains(site)
        else {
            return true
        }
        return fields.whole("Sec-Fetch-Mode") == "navigate"
            && fields.whole("Sec-Fetch-Dest") == "document"
    }
}

extension HTTPHeaders {
    /// The value of a field with its lines joined (RFC 9110 §5.3). `nil` if the field is absent.
    fileprivate func whole(_ name: String) -> String? {
        let lines = self[name]
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }
}
