package import DNSWire
import Synchronization

/// A transport whose queries carry DNS cookies (RFC 7873). It sends the client's cookie and the server's
/// cookie from the last answer. BADCOOKIE is an ordinary answer: the transport does not retry.
package struct CookieTransport: Transport {
    private let carrier: any Transport
    private let cookies: CookieJar

    /// Wraps the transport `carrier` to a server whose cookies are in `cookies`.
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

/// The cookies between this machine and one server, shared by all transports to the server.
package final class CookieJar: Sendable {
    private let cookie = Mutex(DNSCookie())

    package init() {}

    /// The cookie of the next query.
    var next: DNSCookie { cookie.withLock { $0 } }

    /// Stores the cookie option of a verified answer.
    func take(_ option: [UInt8]) { cookie.withLock { $0.take(option) } }
}
