package import DNSWire
import Synchronization

/// A transport whose queries have DNS cookies (RFC 7873): the client's own, and the server's as its
/// last answer gave it. BADCOOKIE is an answer like any other: nothing is asked again.
package struct CookieTransport: Transport {
    private let carrier: any Transport
    private let cookies: CookieJar

    /// The transport `carrier` to a server whose cookies are in `cookies`.
    package init(over carrier: any Transport, _ cookies: CookieJar) {
        self.carrier = carrier
        self.cookies = cookies
    }

    @EventLoopActor
    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        let exchange = await carrier.exchange(query.carrying(cookies.next), timeout: timeout)
        if case .response(let response) = exchange.result, let option = response.cookie {
            cookies.take(option)
        }
        return exchange
    }
}

/// The cookies between this machine and one server, for all transports to it.
package final class CookieJar: Sendable {
    private let cookie = Mutex(DNSCookie())

    package init() {}

    /// The cookie of the next query.
    var next: DNSCookie { cookie.withLock { $0 } }

    /// Takes what an answer had that was checked to be one.
    func take(_ option: [UInt8]) { cookie.withLock { $0.take(option) } }
}
