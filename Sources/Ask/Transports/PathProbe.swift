import CSockets
package import Catalogue
package import DNSWire

/// Finds the path to a resolver's address with DNS over UDP. Routers drop queries with a TTL or hop limit of
/// 1, 2, 3 … and report this by ICMP (RFC 792, RFC 4443). The error queue of an ordinary socket contains
/// these errors (ip(7), IP_RECVERR).
///
/// All queries leave from one port, so that routers that balance load by address and port use one path. For a
/// resolver over another transport, the queries go to its own port. The trace also ends if the resolver
/// responds there, or if the port is closed for UDP.
package struct PathProbe: Sendable {
    private let endpoint: Endpoint
    private let isAllowed: Bool

    /// The number of attempts per hop. One lost packet does not make a hop silent.
    private static let attempts = 2

    package init(to endpoint: Endpoint, allowed: AllowedNetworks) {
        self.endpoint = endpoint
        isAllowed = allowed.allows(endpoint.address)
    }

    /// Whether this system reports the router that drops a packet.
    package static var isSupported: Bool {
        guard let socket = try? Socket(.datagram, family: AF_INET) else { return false }
        return socket.enableICMPErrors(family: AF_INET)
    }

    /// Sends `query` to each hop, `gap` apart, and waits `timeout` for each. Returns `nil` if cancelled.
    /// Returns `nil` and sends nothing if the address is outside the allowed networks.
    @EventLoopActor
    package func trace(_ query: Query, gap: Duration, timeout: Duration) async -> PathTrace? {
        guard isAllowed else { return nil }
        let trace: PathTrace?
        do throws(SystemError) {
            let address = SocketAddress(endpoint)
            let socket = try await Socket.open(.datagram, family: address.family)
            socket.enableStamps()
            socket.enableICMPErrors(family: address.family)
            socket.ignorePathMTU(family: address.family)
            try socket.connect(to: address)
            trace = try await follow(query, on: socket, family: address.family, gap, timeout)
        } catch {
            trace = PathTrace(end: .unsent)
        }
        DescriptorQueue.released()
        return trace
    }

    @EventLoopActor
    private func follow(
        _ query: Query,
        on socket: borrowing Socket,
        family: Int32,
        _ gap: Duration,
        _ timeout: Duration
    ) async throws(SystemError) -> PathTrace? {
        let loop = EventLoop.shared
        let wait = try loop.open(socket, within: nil)
        defer { loop.close(wait) }
        var path = Path(to: endpoint.address, from: socket.source)
        while path.end == nil {
            path.hops.append(nil)
            for _ in 0..<Self.attempts where path.isOpen {
                guard let sent = try path.send(query, on: socket, family: family) else { break }
                let deadline = sent + timeout.nanoseconds
                loop.wake(wait, at: deadline)
                path.read(socket)
                while path.isOpen, cs_monotonic() < deadline {
                    if await loop.next(wait) == .cancelled { return nil }
                    path.read(socket)
                }
                guard path.end == nil else { break }
                let next = EventLoopClock.Instant(nanoseconds: sent + gap.nanoseconds)
                do { try await EventLoopClock().sleep(until: next, tolerance: nil) } catch {
                    return nil
                }
            }
            path.endIfSilent()
        }
        return PathTrace(hops: path.hops, end: path.end ?? .silent, site: path.site)
    }
}

/// The known part of the path to a resolver.
@EventLoopActor
private struct Path {
    struct Sent {
        var hop: Int
        var attempt: Attempt
        var stamps: Stamps
    }

    private let resolver: IPAddress
    private let source: IPAddress?
    var hops: [PathTrace.Hop?] = []
    var end: PathTrace.End?
    var site: String?
    /// The queries in the order of sending. The kernel numbers their stamps in this order.
    var sent: [Sent] = []
    /// Whether the kernel's count of datagrams equals the number of queries.
    private var isInStep = true
    /// An end of the path that an ICMP error without a quotation reports.
    private var rumour: (end: PathTrace.End, hop: Int)?

    init(to resolver: IPAddress, from source: IPAddress?) {
        (self.resolver, self.source) = (resolver, source)
    }

    /// Whether no response or error has arrived for the last hop.
    var isOpen: Bool { end == nil && hops.last == .some(nil) }

    /// Sends `query` to the last hop with its own ID, which identifies late responses. Returns the send time
    /// (CLOCK_MONOTONIC). Returns `nil` if the hop was already answered, or if sending failed. A failure ends
    /// the path.
    mutating func send(
        _ query: Query,
        on socket: borrowing Socket,
        family: Int32
    ) throws(SystemError) -> Int64? {
        // The kernel would also report a queued ICMP error as an error of the next send.
        read(socket)
        _ = cs_pending_error(socket.descriptor)
        guard isOpen else { return nil }
        guard cs_limit_hops(socket.descriptor, family, Int32(hops.count)) == 0 else {
            throw SystemError("setsockopt")
        }
        let attempt = Attempt(query) { id in sent.contains { $0.attempt.id == id } }
        let clocks = cs_read_clocks()
        do throws(SystemError) {
            isInStep = try attempt.send(on: socket) && isInStep
        } catch {
            hops.removeLast()
            end = .unsent
            return nil
        }
        sent.append(.init(hop: hops.count - 1, attempt: attempt, stamps: Stamps(sentAt: clocks)))
        return clocks.monotonic
    }

    mutating func endIfSilent() {
        guard end == nil else { return }
        let last = hops.suffix(PathTrace.mostSilent)
        if last.count == PathTrace.mostSilent, last.allSatisfy({ $0 == nil }) {
            end = .silent
            if let rumour { finish(rumour.end, at: rumour.hop) }
        } else if hops.count == PathTrace.mostHops {
            end = .limit
        }
    }

    /// Reads all responses and errors that have arrived.
    mutating func read(_ socket: borrowing Socket) {
        while true {
            readErrors(socket)
            do throws(SystemError) {
                guard let received = try unsafe socket.receive(into: ReceiveBuffer.bytes) else {
                    return
                }
                unsafe take(ReceiveBuffer.received(received.count), received.arrival)
            } catch {
                // The error is in the error queue as well.
                continue
            }
        }
    }

    private mutating func readErrors(_ socket: borrowing Socket) {
        while end == nil {
            let entry = unsafe socket.takeQueued(Quotation.buffer)
            switch entry.kind {
            case CS_QUEUED_NOTHING: return
            case CS_QUEUED_SEND_STAMP where isInStep:
                let number = Int(entry.identifier)
                if sent.indices.contains(number) { sent[number].stamps.kernelSent = entry.stamp }
            case CS_QUEUED_ICMP_ERROR: take(entry)
            default: break
            }
        }
    }

    private mutating func take(_ entry: cs_queue_entry) {
        // Many routers quote only the headers. Their errors count for the last query.
        let hasID = entry.quoted_length >= 2
        let query = hasID ? sent.last { $0.attempt.quotation(in: entry) != .foreign } : sent.last
        guard let query, let sender = entry.senderAddress else { return }
        let arrival = Arrival(
            stamp: entry.stamp == 0 ? nil : entry.stamp,
            clocks: cs_read_clocks()
        )
        if hasID, entry.isOwnReport(at: source, to: resolver) {
            hops.removeSubrange(query.hop...)
            end = .unsent
            return
        }
        note(sender, query, arrival)
        guard entry.icmp != CS_ICMP_TIME_EXCEEDED else { return }
        let isClosed = entry.icmp == CS_ICMP_PORT_UNREACHABLE && sender.bytes == resolver.bytes
        let end = isClosed ? PathTrace.End.closed : .rejected
        // Any machine can send an error that quotes nothing. It is the end only if no other packet arrives.
        if hasID { finish(end, at: query.hop) } else { rumour = rumour ?? (end, query.hop) }
    }

    private mutating func take(_ datagram: UnsafeRawBufferPointer, _ arrival: Arrival) {
        for query in sent.reversed() where end == nil {
            switch unsafe query.attempt.read(datagram) {
            case .stray: continue
            case .malformed: break
            case .response(let response): site = response.nsid.map(PresentationText.escaped)
            }
            note(resolver, query, arrival)
            finish(.answered, at: query.hop)
        }
    }

    private mutating func note(_ address: IPAddress, _ query: Sent, _ arrival: Arrival) {
        guard hops[query.hop] == nil, let address = IPAddress(bytes: address.bytes) else {
            return
        }
        let trip = query.stamps.roundTrip(until: arrival.stamp, read: arrival.clocks)
        hops[query.hop] = .init(address: address, roundTrip: .nanoseconds(trip.nanoseconds))
    }

    /// Ends the path at `hop`. Queries to further hops give no more information.
    private mutating func finish(_ end: PathTrace.End, at hop: Int) {
        self.end = end
        hops.removeSubrange((hop + 1)...)
    }
}
