import Catalogue
import DNSWire

/// One resolver without its sockets. Its input is a query, its output are replies with their due
/// times.
struct SimulatedResolver {
    enum Carrier: Hashable { case udp, tcp }

    /// A message to send, and its due time in nanoseconds of the clock of the arrival.
    struct Reply: Hashable {
        var due: Int64
        var message: [UInt8]
    }

    let behaviour: Behaviour
    private var model: DelayModel
    private var cache = NameCache()
    private let seed: UInt64

    init(_ behaviour: Behaviour, seed: UInt64, index: Int) {
        self.behaviour = behaviour
        self.seed = seed
        model = DelayModel(behaviour, seed: seed, resolver: index)
    }

    /// The replies to a message that arrived at `arrival`, in order. A message that is not a query
    /// gets no reply and uses no draw.
    mutating func replies(to message: [UInt8], over carrier: Carrier, at arrival: Int64) -> [Reply]
    {
        guard let query = LabQuery(message) else { return [] }
        let draw = model.next()
        guard !behaviour.silent, !draw.isLost else { return [] }
        let (due, ttl) = schedule(query, draw, at: arrival)
        let answer = answer(to: query, draw, over: carrier, ttl: ttl)
        let limit = carrier == .tcp ? 65535 : max(512, min(Int(query.edns?.payload ?? 0), 4096))
        func bytes(_ answer: LabAnswer, id: UInt16) -> [UInt8] {
            answer.message(to: query, id: id, site: behaviour.name, limit: limit)
        }
        let reply = Reply(due: due, message: bytes(answer, id: query.id))
        guard carrier == .udp else { return [reply] }
        var replies: [Reply] = []
        if draw.isForged {
            let forged = bytes(LabAnswer(forging: query), id: query.id ^ 0x5A5A)
            replies.append(Reply(due: arrival + (due - arrival) / 2, message: forged))
        }
        replies.append(reply)
        if draw.isDuplicated { replies.append(reply) }
        return replies
    }

    /// The time when the answer is sent, and its TTL at that time. The cache stores the fetched
    /// answer.
    private mutating func schedule(
        _ query: LabQuery,
        _ draw: DelayModel.Draw,
        at arrival: Int64
    ) -> (due: Int64, ttl: UInt32) {
        let isFirst = behaviour.found != nil && !query.isRandom && !cache.knows(query)
        if isFirst, let age = query.age(in: behaviour, seed: seed) {
            let left = Double(behaviour.ttl) * (1 - age)
            cache.remember(query, from: arrival, ttl: UInt32(left.rounded(.up)))
        }
        let cached = cache.holds(query, at: arrival)
        let missed = draw.isMiss || (behaviour.coldCache && !cached)
        var delay = draw.hitDelay
        if (query.isRandom || isFirst) && !cached && behaviour.recursionHigh > .zero {
            delay += draw.recursionDelay
        } else if missed {
            delay += draw.missDelay
        }
        if draw.isLate { delay += behaviour.lateDelay }
        let due = arrival + delay.nanoseconds
        // A warm cache fetches ahead. A name that it does not contain gets a fresh answer just as
        // fast.
        if missed || !cached { cache.remember(query, from: due, ttl: behaviour.ttl) }
        return (due, cache.remaining(query, at: due, ttl: behaviour.ttl))
    }

    private func answer(
        to query: LabQuery,
        _ draw: DelayModel.Draw,
        over carrier: Carrier,
        ttl: UInt32
    ) -> LabAnswer {
        if behaviour.refuse { return LabAnswer(code: .refused) }
        if draw.isServerFailure { return LabAnswer(code: .servFail) }
        var answer = LabAnswer(to: query, by: behaviour, ttl: ttl)
        answer.isTruncated = carrier == .udp && draw.isTruncated
        return answer
    }
}

extension LabQuery {
    /// The age of the answer in a resolver's cache at the first query, as a fraction of its TTL;
    /// `nil` if it is not in the cache. It is constant for one name and resolver of a lab.
    fileprivate func age(in behaviour: Behaviour, seed: UInt64) -> Double? {
        var random = SplitMix64(seed: seed, stream: (Array(behaviour.name.utf8) + name).hash)
        return random.uniform() < behaviour.found ?? 1 ? random.uniform() : nil
    }
}

/// A resolver's cache: the time until which the answer for a name and type is fresh. Times are in
/// nanoseconds.
struct NameCache {
    private struct Key: Hashable {
        let name: [UInt8]
        let type: UInt16
    }

    /// The number of names at which the cache is emptied, so that random names cannot fill the
    /// memory.
    private static let capacity = 100_000

    private var expiry: [Key: Int64] = [:]

    /// Whether the question was ever queried.
    func knows(_ query: LabQuery) -> Bool {
        expiry[Key(name: query.name, type: query.type)] != nil
    }

    /// Whether the question's answer is in the cache and fresh at `moment`.
    func holds(_ query: LabQuery, at moment: Int64) -> Bool {
        expiry[Key(name: query.name, type: query.type)].map { $0 > moment } ?? false
    }

    /// Stores the answer at `moment` for `ttl` seconds.
    mutating func remember(_ query: LabQuery, from moment: Int64, ttl: UInt32) {
        if expiry.count >= Self.capacity { expiry.removeAll(keepingCapacity: true) }
        expiry[Key(name: query.name, type: query.type)] = moment + Int64(ttl) * 1_000_000_000
    }

    /// The seconds that are left at `moment`, rounded up and at most `ttl`; zero if the answer has
    /// expired.
    func remaining(_ query: LabQuery, at moment: Int64, ttl: UInt32) -> UInt32 {
        guard let end = expiry[Key(name: query.name, type: query.type)], end > moment else {
            return 0
        }
        return UInt32(min((end - moment + 999_999_999) / 1_000_000_000, Int64(ttl)))
    }
}
