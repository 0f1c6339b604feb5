import CSockets
package import Catalogue
package import DNSWire

/// Measures the instrument with itself: queries to an echo of this process on 127.0.0.1, over the
/// same sockets, stamps and loop as all others.
package struct InstrumentProbe: Sendable {
    package struct Reading: Sendable {
        /// The round trips, in the order of asking; a lost one is missing.
        package var roundTrips: [Duration] = []
        /// Where their stamps come from: the least exact of them.
        package var clock = ClockSource.kernel
        /// How much later than wanted the loop woke, in the order of waiting.
        package var wakeLateness: [Duration] = []
        /// How far CLOCK_REALTIME was set meanwhile, where it was.
        package var clockStep: Duration?
    }

    private static let address = IPAddress(octets: [127, 0, 0, 1])

    package init() {}

    /// Asks `queries` times, `every` so often, or until the task is cancelled; `nil` where loopback
    /// is not `allowed` or cannot be used.
    @EventLoopActor
    package func measure(
        queries: Int = 10,
        every interval: Duration = .milliseconds(1),
        allowed: AllowedNetworks
    ) async -> Reading? {
        guard let address = Self.address, allowed.allows(address), let echo = try? EchoSocket(),
            let query = try? Query(Question(name: DomainName("dnstempo.invalid"), type: .a))
        else { return nil }
        let endpoint = Endpoint(transport: .udp, address: address, port: echo.port)
        let transport = UDPTransport(to: endpoint, allowed: allowed)
        let serving = Task { @EventLoopActor in await echo.serve() }
        defer { serving.cancel() }
        var reading = Reading()
        let clock = EventLoopClock()
        for _ in 0..<queries {
            let exchange = await transport.exchange(query, timeout: .milliseconds(200))
            if let roundTrip = exchange.roundTrip {
                reading.roundTrips.append(roundTrip)
                reading.clock = max(reading.clock, exchange.clock)
            }
            reading.clockStep = reading.clockStep ?? exchange.clockStep
            // Of a long sleep a thousandth is the system's to add (select(2)), whatever it has to do.
            let nap = min(interval, .milliseconds(1))
            let rest = clock.now.advanced(by: interval - nap)
            let due: EventLoopClock.Instant
            do {
                if interval > nap { try await clock.sleep(until: rest, tolerance: nil) }
                due = clock.now.advanced(by: nap)
                try await clock.sleep(until: due, tolerance: nil)
            } catch { break }
            reading.wakeLateness.append(due.duration(to: clock.now))
        }
        return reading.roundTrips.isEmpty ? nil : reading
    }
}

/// A socket on 127.0.0.1 that sends every query back as an empty answer.
@EventLoopActor
private final class EchoSocket {
    let port: UInt16
    private let socket: Socket

    init() throws(SystemError) {
        socket = try Socket(owning: cs_lab_open(0, 0, 0))
        let port = cs_lab_port(socket.descriptor)
        guard port > 0 else { throw SystemError("getsockname", code: -port) }
        self.port = UInt16(truncatingIfNeeded: port)
    }

    /// Answers until the task is cancelled.
    func serve() async {
        let loop = EventLoop.shared
        guard let wait = try? loop.open(socket, within: nil) else { return }
        while await loop.next(wait) == .ready { echo() }
        loop.close(wait)
    }

    private func echo() {
        var peer = cs_lab_peer()
        var arrival: Int64 = 0
        let buffer = unsafe ReceiveBuffer.bytes
        let (start, room) = (buffer.baseAddress, buffer.count)
        while socket.budget.allowsMessage() {
            let count = unsafe cs_lab_receive(socket.descriptor, start, room, &peer, &arrival)
            guard count > 2 else { return }
            // QR: a response (RFC 1035 §4.1.1).
            unsafe buffer[2] |= 0x80
            _ = unsafe cs_lab_send(socket.descriptor, start, count, &peer)
        }
    }
}
