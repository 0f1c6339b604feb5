import SimulatedKernel

/// The resolvers of the simulated network, and what really happened to each query.
final class Internet: @unchecked Sendable {
    // Safe because one thread runs at a time, which the simulated kernel chooses.

    /// The network of the current history.
    static var current: Internet {
        get { shared.value }
        set { shared.value = newValue }
    }

    private static let shared = Shared(Internet(seed: 0))

    /// How a resolver and the path to it behave. The probabilities are those of one query.
    struct Behaviour {
        /// Milliseconds.
        var delay = 10.0
        var jitter = 4.0
        var loss = 0.0
        var duplicate = 0.0
        var late = 0.0
        var refused = 0.0
        var truncated = 0.0
        var failed = 0.0
        var forged = 0.0
        var garbage = 0.0
        var unstamped = 0.0
        var reset = 0.0
        var closed = 0.0
    }

    /// A query that left a machine, and the valid answers to it.
    final class Question {
        let machine: Int
        /// The number of the process that asked.
        let process: Int64
        let address: UInt32
        let isOverTCP: Bool
        let name: String
        /// Nanoseconds of the machine's CLOCK_REALTIME.
        let wall: Int64
        /// Nanoseconds of CLOCK_MONOTONIC.
        let sent: Int64
        /// The valid answers that arrived.
        var answers: [Answer] = []
        var isTruncated = false
        /// Whether ICMP, a reset, or the end of its connection ended the query.
        var isRefused = false
        /// Whether a message that cannot be read arrived.
        var isGarbled = false

        init(
            _ query: DNSQuery,
            from machine: Int,
            to address: UInt32,
            isOverTCP: Bool
        ) {
            (self.machine, self.address, self.isOverTCP) = (machine, address, isOverTCP)
            process = SimulatedProcess.current?.number ?? 0
            name = query.name
            wall = simulated_wall(Int32(machine))
            sent = Kernel.now
        }
    }

    struct Answer {
        /// Nanoseconds of CLOCK_MONOTONIC.
        var moment: Int64
        /// Whether the kernel stamped it.
        var isStamped: Bool
        /// The response code.
        var code: UInt8
    }

    struct Key: Hashable {
        var machine: Int
        var address: UInt32
        var wall: Int64
    }

    struct Machine {
        var isOnline = true
        var address: UInt32
    }

    private final class Stream {
        let machine: Int
        let address: UInt32
        let port: UInt16
        var bytes: [UInt8] = []
        var questions: [Question] = []
        /// The moment of the last event that was sent to the machine.
        var last: Int64 = 0

        init(_ machine: Int, _ address: UInt32, _ port: UInt16) {
            (self.machine, self.address, self.port) = (machine, address, port)
        }
    }

    var random: Random
    var behaviours: [UInt32: Behaviour] = [:]
    var machines: [Machine] = []
    private(set) var questions: [Key: [Question]] = [:]
    private(set) var queries = 0
    private var streams: [UInt64: Stream] = [:]
    /// The clients of the servers of the program.
    var clients: [UInt64: PageClient] = [:]
    /// The queries whose ICMP errors are late, by resolver.
    private var lateErrors: [UInt32: [([UInt8], Way)]] = [:]

    init(seed: UInt64) { random = Random(seed: seed) }

    /// Forgets the queries of a machine.
    func forget(_ machine: Int) { questions = questions.filter { $0.key.machine != machine } }

    private func happens(_ probability: Double) -> Bool {
        probability > 0 && Double(random.number(below: 1_000_000)) < probability * 1e6
    }

    /// Nanoseconds for the way to a resolver and back.
    private func delay(_ behaviour: Behaviour) -> Int64 {
        let jitter = Double(random.number(below: 1_000_000)) / 1e6 * behaviour.jitter
        return .milliseconds(max(0.02, behaviour.delay + jitter))
    }

    private func question(
        _ query: DNSQuery,
        _ machine: Int,
        _ address: UInt32,
        isOverTCP: Bool
    ) -> Question {
        queries += 1
        let question = Question(query, from: machine, to: address, isOverTCP: isOverTCP)
        questions[
            Key(machine: machine, address: address, wall: question.wall),
            default: []
        ].append(question)
        return question
    }

    // MARK: Datagrams

    func datagram(
        _ socket: UInt64,
        _ machine: Int,
        _ address: UInt32,
        _ port: UInt16,
        _ bytes: [UInt8]
    ) {
        guard let behaviour = behaviours[address], let query = DNSQuery(bytes) else { return }
        let question = question(query, machine, address, isOverTCP: false)
        let way = Way(
            machine: machine,
            address: machines[machine].address,
            port: simulated_port(socket),
            resolver: address,
            resolverPort: port
        )
        let arrive = { [self] (delay: Int64, message: [UInt8], valid: UInt8?) in
            let isStamped = !happens(behaviour.unstamped)
            let answer = { Answer(moment: Kernel.now, isStamped: isStamped, code: $0) }
            deliver(message, over: way, after: delay, isStamped) {
                if let valid { question.answers.append(answer(valid)) }
            }
        }
        let time = delay(behaviour)
        for (bytes, way) in lateErrors.removeValue(forKey: address) ?? [] {
            refuse(bytes, over: way, after: time / 2)
        }
        if happens(behaviour.refused) {
            question.isRefused = true
            // The error may also come during the next query to the resolver.
            if happens(0.5) {
                lateErrors[address, default: []].append((bytes, way))
            } else {
                refuse(bytes, over: way, after: time)
            }
            if happens(0.5) { return }
        }
        if happens(behaviour.loss) { return }
        if happens(behaviour.forged) {
            arrive(time / 2, query.answer(id: query.id &+ 1), nil)
            arrive(time / 3, query.answer(name: "forged.example"), nil)
        }
        if happens(behaviour.garbage) {
            question.isGarbled = true
            arrive(time * 2 / 3, Array(query.answer().prefix(2 + random.number(below: 20))), nil)
        }
        if happens(behaviour.truncated) {
            question.isTruncated = true
            return arrive(time, query.answer(isTruncated: true), nil)
        }
        let code: UInt8 = happens(behaviour.failed) ? 2 : 0
        let isLate = happens(behaviour.late)
        let total = isLate ? time + .milliseconds(900 + Double(random.number(below: 6000))) : time
        arrive(total, query.answer(code: code), code)
        if happens(behaviour.duplicate) {
            arrive(total + delay(behaviour) / 4, query.answer(code: code), code)
        }
    }

    /// The addresses and ports of a query over UDP.
    private struct Way {
        let machine: Int
        let address: UInt32
        let port: UInt16
        let resolver: UInt32
        let resolverPort: UInt16
    }

    /// Delivers a message after `delay`, unless the machine is away or has another address then.
    private func deliver(
        _ message: [UInt8],
        over way: Way,
        after delay: Int64,
        _ isStamped: Bool,
        note: @escaping () -> Void
    ) {
        Kernel.after(delay) { [self] in
            guard machines[way.machine].isOnline, machines[way.machine].address == way.address
            else { return }
            note()
            unsafe simulated_arrive(
                Int32(way.machine),
                way.address,
                way.port,
                way.resolver,
                way.resolverPort,
                message,
                message.count,
                isStamped ? 1 : 0
            )
        }
    }

    private func refuse(_ bytes: [UInt8], over way: Way, after delay: Int64) {
        Kernel.after(delay) {
            let (unreachable, closedPort, refused): (Int32, Int32, Int32) = (3, 3, 111)
            unsafe simulated_icmp(
                Int32(way.machine),
                way.port,
                way.resolver,
                way.resolverPort,
                way.resolver,
                unreachable,
                closedPort,
                refused,
                bytes,
                bytes.count
            )
        }
    }

    // MARK: Streams

    func connecting(_ socket: UInt64, _ machine: Int, _ address: UInt32, _ port: UInt16) {
        let stream = Stream(machine, address, port)
        streams[socket] = stream
        guard let behaviour = behaviours[address], !happens(behaviour.loss) else { return }
        let refused: Int32 = 111
        let error: Int32 = port != 53 || happens(behaviour.refused) ? refused : 0
        later(stream, delay(behaviour)) { simulated_connect(socket, error) }
    }

    /// Calls `body` after `time`, but after everything that was sent to the stream before.
    private func later(_ stream: Stream, _ time: Int64, _ body: @escaping () -> Void) {
        stream.last = max(stream.last + 1, Kernel.now + time)
        Kernel.after(stream.last - Kernel.now) { [self] in
            if machines[stream.machine].isOnline { body() }
        }
    }

    func sent(_ socket: UInt64, _ bytes: [UInt8]) {
        clients[socket]?.take(bytes)
        guard let stream = streams[socket], let behaviour = behaviours[stream.address] else {
            return
        }
        stream.bytes += bytes
        while stream.bytes.count >= 2 {
            let length = Int(stream.bytes[0]) << 8 | Int(stream.bytes[1])
            guard stream.bytes.count >= 2 + length else { return }
            let message = Array(stream.bytes[2..<(2 + length)])
            stream.bytes.removeFirst(2 + length)
            guard let query = DNSQuery(message) else { continue }
            let question = question(query, stream.machine, stream.address, isOverTCP: true)
            stream.questions.append(question)
            if happens(behaviour.loss) { continue }
            let time = delay(behaviour)
            if happens(behaviour.reset) {
                question.isRefused = true
                later(stream, time) { simulated_end(socket, 1) }
                continue
            }
            let code: UInt8 = happens(behaviour.failed) ? 2 : 0
            let answer = query.answer(code: code)
            let frame = [UInt8(answer.count >> 8), UInt8(answer.count & 255)] + answer
            let first = random.isOnce(in: 4) ? 1 + random.number(below: frame.count - 1) : 0
            if first > 0 {
                later(stream, time) {
                    _ = unsafe simulated_feed(socket, Array(frame[..<first]), first)
                }
            }
            later(stream, time) {
                let rest = unsafe simulated_feed(
                    socket,
                    Array(frame[first...]),
                    frame.count - first
                )
                guard rest != 0 else { return }
                question.answers.append(Answer(moment: Kernel.now, isStamped: true, code: code))
            }
            if happens(behaviour.closed) {
                later(stream, time * 2) {
                    for question in stream.questions where question.answers.isEmpty {
                        question.isRefused = true
                    }
                    simulated_end(socket, 0)
                }
            }
        }
    }

    func closed(_ socket: UInt64) {
        streams[socket] = nil
        clients.removeValue(forKey: socket)?.noteEnd()
    }
}
