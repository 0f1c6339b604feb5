import CSockets
import LibC

/// Serves all simulated resolvers on one thread: waits, reads, and sends each reply when it is due.
final class ServingLoop {
    private enum Source {
        case stop
        case datagrams(Int)
        case connections(Int)
        case session(Int)
    }

    private static let sessionLimit = 256
    private static let second: Int64 = 1_000_000_000

    private var resolvers: [SimulatedResolver]
    private let sockets: [BoundSocket]
    private let stop: Descriptor
    private var sessions: [Int: TCPSession] = [:]
    private var nextSession = 0
    private var queue = ReplyQueue()
    private var margin = WakeMargin()
    private var buffer = [UInt8](repeating: 0, count: 65535)
    /// The time before which no connection is accepted, because descriptors had run out.
    private var acceptsFrom: Int64 = 0

    /// Creates a loop that runs until `stop` can be read or its other end is closed.
    init(_ resolvers: [SimulatedResolver], sockets: [BoundSocket], stop: consuming Descriptor) {
        self.resolvers = resolvers
        self.sockets = sockets
        self.stop = stop
    }

    /// Serves, and returns after it is stopped.
    func run() {
        unsafe cs_wake_on_time("lab")
        while true {
            sendWhatIsDue()
            for (source, events) in waitForEvents() {
                if case .stop = source { return }
                serve(source, events)
            }
            let now = cs_monotonic()
            for (id, session) in sessions where session.isFinished(at: now) { sessions[id] = nil }
        }
    }

    /// Busy-waits for one due time only, so that reading continues if many replies are due.
    private func sendWhatIsDue() {
        guard let due = queue.earliest, due - cs_monotonic() <= margin.nanoseconds else { return }
        while cs_monotonic() < due {}
        let now = cs_monotonic()
        while let reply = queue.next(at: now) {
            switch reply.target {
            // A datagram that cannot be sent is lost, as on any network.
            case .datagram(let socket, let peer):
                try? sockets[socket].descriptor.send(reply.message, to: peer)
            case .session(let id): sessions[id]?.send(reply.message, now: now)
            }
        }
    }

    private func waitForEvents() -> [(Source, Int32)] {
        let now = cs_monotonic()
        var (sources, descriptors) = pollList(at: now)
        var timeout: Int64 = sessions.isEmpty && acceptsFrom <= now ? -1 : Self.second
        if let due = queue.earliest {
            let untilDue = max(due - now - margin.nanoseconds, 0)
            timeout = timeout < 0 ? untilDue : min(timeout, untilDue)
        }
        let count = UInt32(descriptors.count)
        let ready = unsafe descriptors.withUnsafeMutableBufferPointer {
            unsafe cs_lab_wait($0.baseAddress, count, timeout)
        }
        if ready == 0 && timeout > 0 { margin.note(oversleep: cs_monotonic() - now - timeout) }
        guard ready > 0 else { return [] }
        return zip(sources, descriptors).compactMap { source, descriptor in
            descriptor.revents == 0 ? nil : (source, Int32(descriptor.revents))
        }
    }

    private func pollList(at now: Int64) -> ([Source], [pollfd]) {
        var sources: [Source] = [.stop]
        var descriptors = [pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0)]
        func add(_ source: Source, _ number: Int32, _ events: Int32) {
            sources.append(source)
            descriptors.append(pollfd(fd: number, events: Int16(events), revents: 0))
        }
        for (index, socket) in sockets.enumerated() {
            let number = socket.descriptor.number
            switch socket.carrier {
            case .udp: add(.datagrams(index), number, POLLIN)
            case .tcp: if acceptsFrom <= now { add(.connections(index), number, POLLIN) }
            }
        }
        for (id, session) in sessions {
            let events = (session.wantsToRead ? POLLIN : 0) | (session.wantsToWrite ? POLLOUT : 0)
            add(.session(id), session.descriptor.number, events)
        }
        return (sources, descriptors)
    }

    private func serve(_ source: Source, _ events: Int32) {
        switch source {
        case .stop: break
        case .datagrams(let index): readDatagrams(from: index)
        case .connections(let index): accept(from: index)
        case .session(let id): serveSession(id, events)
        }
    }

    /// Reads a few datagrams at a time, so that a flood does not delay replies that are due.
    private func readDatagrams(from index: Int) {
        let socket = sockets[index]
        for _ in 0..<16 {
            guard let (count, peer, arrival) = try? socket.descriptor.receive(into: &buffer) else {
                return
            }
            let message = Array(buffer[..<count])
            let replies = resolvers[socket.resolver].replies(to: message, over: .udp, at: arrival)
            _ = enqueue(replies, for: .datagram(socket: index, peer: peer))
        }
    }

    /// Queues the replies for their due times. Returns the number for which there was room.
    private func enqueue(
        _ replies: [SimulatedResolver.Reply],
        for target: PendingReply.Target
    ) -> Int {
        replies.count { queue.insert(.init(due: $0.due, target: target, message: $0.message)) }
    }

    private func accept(from index: Int) {
        let now = cs_monotonic()
        do throws(SystemError) {
            let descriptor = try Descriptor(owning: cs_lab_accept(sockets[index].descriptor.number))
            // A connection above the limit is closed at once, so that the peer notices it.
            guard sessions.count < Self.sessionLimit else { return }
            let session = TCPSession(descriptor, resolver: sockets[index].resolver, now: now)
            sessions[nextSession] = session
            nextSession += 1
        } catch {
            if !error.isTransient && error.code != ECONNABORTED {
                acceptsFrom = now + Self.second / 10
            }
        }
    }

    private func serveSession(_ id: Int, _ events: Int32) {
        guard let session = sessions[id] else { return }
        if events & POLLOUT != 0 { session.flush() }
        if events & POLLIN != 0 {
            let (messages, arrival) = session.receive(&buffer)
            for message in messages {
                let replies = resolvers[session.resolver]
                    .replies(to: message, over: .tcp, at: arrival)
                session.pending += enqueue(replies, for: .session(id))
            }
        } else if events & (POLLERR | POLLHUP | POLLNVAL) != 0 {
            session.hangUp()
        }
    }
}

/// The thread that serves. `deinit` stops it and waits until its sockets are closed.
final class ServingThread: Sendable {
    private let stop: Descriptor
    private let thread: UInt

    init(_ resolvers: [SimulatedResolver], sockets: [BoundSocket]) throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let made = unsafe withUnsafeMutableBytes(of: &ends) {
            unsafe cs_lab_pair($0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard made == 0 else { throw SystemError(code: -made) }
        let readEnd = try Descriptor(owning: ends.0)
        stop = try Descriptor(owning: ends.1)
        thread = try Self.start(ServingLoop(resolvers, sockets: sockets, stop: readEnd))
    }

    /// Passes the loop to a new thread, which then is its only user.
    private static func start(_ loop: ServingLoop) throws(SystemError) -> UInt {
        let context = unsafe Unmanaged.passRetained(loop)
        var thread: UInt = 0
        let error = unsafe cs_start_thread(
            &thread,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<ServingLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard error == 0 else {
            unsafe context.release()
            throw SystemError(code: error)
        }
        return thread
    }

    deinit {
        // Nothing was sent before, so that this byte always fits.
        _ = try? stop.send([1])
        cs_join_thread(thread)
    }
}

/// The time before a due time at which a thread stops sleeping and busy-waits, in nanoseconds. It
/// is the recent time that the system takes to wake the thread. Virtual machines take 100 µs, other
/// machines 10 µs.
struct WakeMargin {
    private static let bounds: ClosedRange<Int64> = 20_000...200_000

    private(set) var nanoseconds: Int64 = 50_000

    /// Adds one measured oversleep. The margin rises at once and falls slowly. After an oversleep
    /// above the limit it does not change: the processor was busy, and no margin helps.
    mutating func note(oversleep: Int64) {
        guard oversleep <= Self.bounds.upperBound else { return }
        let wanted = max(oversleep + 10_000, nanoseconds - 1_000)
        nanoseconds = min(max(wanted, Self.bounds.lowerBound), Self.bounds.upperBound)
    }
}
