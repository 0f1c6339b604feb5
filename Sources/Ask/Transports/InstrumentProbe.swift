import CSockets
package import Catalogue
package import DNSWire

/// Measures the instrument's own error. It queries an echo server of this process on 127.0.0.1, with the
/// sockets, stamps and event loop of all other queries.
package struct InstrumentProbe: Sendable {
    package struct Reading: Sendable {
        /// The round trips in the order of the queries. A lost query has no entry.
        package var roundTrips: [Duration] = []
        /// The errors: round trips minus the time that the echo server kept the query. They include the path
        /// over loopback, and are therefore slightly too long.
        package var errors: [Duration] = []
        /// The number of queries per clock that stamped them.
        package var clocks: [ClockSource: Int] = [:]
        /// The delays of the loop's wake-ups, in the order of waiting.
        package var wakeLateness: [Duration] = []
        /// The delays of the queries after their planned times, by their send stamps. The first query has no
        /// planned time.
        package var sendLateness: [Duration] = []
        /// The amount by which CLOCK_REALTIME was set during the probe; `nil` if it was not set.
        package var clockStep: Duration?
    }

    private static let address = IPAddress(bytes: [127, 0, 0, 1])

    package init() {}

    /// Sends `queries` queries at the interval `every`, for at most `limit` or until the task is cancelled.
    /// Returns `nil` if loopback is not `allowed` or unusable.
    @EventLoopActor
    package func measure(
        queries: Int = 100,
        every interval: Duration = .milliseconds(1),
        within limit: Duration? = nil,
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
        let end = limit.map { clock.now.advanced(by: $0) }
        var planned: EventLoopClock.Instant?
        for _ in 0..<queries {
            if let end, clock.now >= end { break }
            echo.kept = nil
            let exchange = await transport.exchange(query, timeout: .milliseconds(200))
            reading.note(exchange, kept: echo.kept, planned: planned)
            // The system may extend a long sleep by a thousandth (select(2)), regardless of its load.
            let nap = min(interval, .milliseconds(1))
            let rest = clock.now.advanced(by: interval - nap)
            let due: EventLoopClock.Instant
            do {
                if interval > nap { try await clock.sleep(until: rest, tolerance: nil) }
                due = clock.now.advanced(by: nap)
                try await clock.sleep(until: due, tolerance: nil)
            } catch { break }
            reading.wakeLateness.append(due.duration(to: clock.now))
            planned = due
        }
        return reading.roundTrips.isEmpty ? nil : reading
    }
}

extension InstrumentProbe.Reading {
    /// Records the outcome of a query and the time that the echo server kept it.
    fileprivate mutating func note(
        _ exchange: Exchange,
        kept: Duration?,
        planned: EventLoopClock.Instant?
    ) {
        if let roundTrip = exchange.roundTrip {
            roundTrips.append(roundTrip)
            clocks[exchange.clock, default: 0] += 1
            if let kept { errors.append(max(roundTrip - kept, kept - roundTrip)) }
        }
        if let planned, let sent = exchange.sentMonotonic {
            sendLateness.append(max(.zero, .nanoseconds(sent - planned.nanoseconds)))
        }
        clockStep = clockStep ?? exchange.clockStep
    }
}

/// A socket on 127.0.0.1 that answers every query with an empty answer.
@EventLoopActor
private final class EchoSocket {
    let port: UInt16
    /// The time that the echo server kept the last query, from the kernel's receive stamp to its sending.
    var kept: Duration?
    private let socket: Socket

    init() throws(SystemError) {
        socket = try Socket(owning: cs_lab_open(0, 0, 0))
        let port = cs_lab_port(socket.descriptor)
        guard port > 0 else { throw SystemError("getsockname", code: -port) }
        self.port = UInt16(truncatingIfNeeded: port)
    }

    /// Answers queries until the task is cancelled.
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
            guard count >= 0 else { return }
            // The datagram is too short for a query.
            guard count > 2 else { continue }
            // QR: a response (RFC 1035 §4.1.1).
            unsafe buffer[2] |= 0x80
            kept = .nanoseconds(cs_monotonic() - arrival)
            _ = unsafe cs_lab_send(socket.descriptor, start, count, &peer)
        }
    }
}
