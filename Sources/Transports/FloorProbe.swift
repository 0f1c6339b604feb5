package import Catalogue

/// Measures the network's own round trip to a resolver's address: what no resolver there could be
/// quicker than.
package struct FloorProbe: Sendable {
    /// What came of it.
    package struct Reading: Hashable, Sendable {
        /// The least of the handshakes.
        package var roundTrip: Duration
        /// The port that answered.
        package var port: UInt16
        package var handshakes: Int
    }

    private let address: IPAddress
    private let ports: [UInt16]
    private let allowed: AllowedNetworks

    /// A probe of the address of `endpoint`: the first that accepts a connection of its own port,
    /// 53, 443 and 853. On loopback each port is another resolver's, so that its own alone is tried.
    ///
    /// A refusal is no measure: many come from a firewall on the way.
    package init(of endpoint: Endpoint, allowed: AllowedNetworks) {
        address = endpoint.address
        let usual: [UInt16] = address.isLoopback ? [] : [53, 443, 853]
        ports = [endpoint.port] + usual.filter { $0 != endpoint.port }
        self.allowed = allowed
    }

    /// So many handshakes, `gap` apart and each `timeout` long at most; `nil` where no port accepts
    /// a connection.
    @EventLoopActor
    package func measure(
        handshakes: Int = 3,
        gap: Duration,
        timeout: Duration = .seconds(1)
    ) async -> Reading? {
        let clock = EventLoopClock()
        for port in ports {
            let handshake = TCPHandshake(with: address, port: port, allowed: allowed)
            var times: [Duration] = []
            for _ in 0..<handshakes {
                let next = clock.now.advanced(by: gap)
                if case .connected(let time) = await handshake.measure(timeout: timeout) {
                    times.append(time)
                }
                do { try await clock.sleep(until: next, tolerance: nil) } catch { return nil }
                if times.isEmpty { break }
            }
            if let least = times.min() {
                return Reading(roundTrip: least, port: port, handshakes: times.count)
            }
        }
        return nil
    }
}
