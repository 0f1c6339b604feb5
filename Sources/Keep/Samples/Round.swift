import Catalogue

/// One round: every resolver asked every question once.
package struct Round: Hashable, Sendable {
    /// The part of a round by which a recording knows it.
    package struct Key: Hashable, Sendable {
        package let run: Int32
        package let number: Int32
    }

    /// Index into ``Recording/runs``.
    package var run: Int32
    /// Counts from 1 within the run.
    package var number: Int32
    /// When its first query was due.
    package var started: Timestamp
    package var marks: RoundMarks
    /// Whether every query of the plan has a sample; an interrupted round lacks some.
    package var isWhole: Bool

    package init(
        run: Int32 = 0,
        number: Int32,
        started: Timestamp = Timestamp(nanoseconds: 0),
        marks: RoundMarks = [],
        isWhole: Bool = true
    ) {
        self.run = run
        self.number = number
        self.started = started
        self.marks = marks
        self.isWhole = isWhole
    }

    package var key: Key { Key(run: run, number: number) }

    /// Whether its samples say something of the resolvers.
    package var isCounted: Bool { marks.areCounted }
}

/// A round of one place, as a history lists it, or several that followed each other evenly.
package struct RoundMoment: Hashable, Sendable {
    package var vantage: String
    package var started: Timestamp
    package var marks: RoundMarks
    /// The purpose of the run.
    package var origin: Run.Origin
    /// When the last of them started.
    package var last: Timestamp
    package var rounds: Int

    /// One round; with `last` as many as `rounds` from the one to the other.
    package init(
        vantage: String,
        started: Timestamp,
        marks: RoundMarks,
        origin: Run.Origin = .imported,
        last: Timestamp? = nil,
        rounds: Int = 1
    ) {
        self.vantage = vantage
        self.started = started
        self.marks = marks
        self.origin = origin
        self.last = last ?? started
        self.rounds = rounds
    }
}

/// Marks that keep a round out of the resolvers' figures: it says something of the connection or of
/// this machine, and nothing of any one resolver.
package struct RoundMarks: NamedOptions, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There was no route to any resolver, but for those on this machine, which had no answer.
    package static let offline = RoundMarks(rawValue: 1)
    /// Every one of at least three resolvers in at least two networks was silent, or one on this
    /// machine was asked in an offline round.
    package static let outage = RoundMarks(rawValue: 2)
    /// The machine was suspended inside the round.
    package static let suspended = RoundMarks(rawValue: 4)
    /// Its names were asked before, to see how late a cached answer is.
    package static let again = RoundMarks(rawValue: 8)

    package static let words: [(RoundMarks, String)] = [
        (.offline, "offline"), (.outage, "outage"), (.suspended, "suspended"),
        (.again, "again"),
    ]

    /// Whether the samples of such a round say something of the resolvers; offline ones were not
    /// sent, which their outcomes say.
    package var areCounted: Bool { isDisjoint(with: [.outage, .suspended, .again]) }

    /// The marks that the samples of one round tell; `targets` is what they refer to.
    package static func of(
        _ samples: [Sample],
        targets: [Recording.Target]
    ) -> RoundMarks {
        let slept: RoundMarks =
            samples.contains { $0.observation.flags.contains(.slept) } ? .suspended : []
        return connection(samples, targets: targets).union(slept)
    }

    private static func connection(
        _ samples: [Sample],
        targets: [Recording.Target]
    ) -> RoundMarks {
        var unsent: Set<Int> = []
        var silent: Set<Int> = []
        var failed: Set<Int> = []
        for sample in samples where sample.observation.outcome != .blocked {
            let target = Int(sample.target)
            switch sample.observation.outcome {
            case .offline: unsent.insert(target)
            case .timeout: silent.insert(target)
            case let outcome where outcome.isAnswer: return []
            default: failed.insert(target)
            }
        }
        let hasFar = unsent.union(silent).contains(where: targets.isFar)
        guard failed.isEmpty || hasFar && !failed.contains(where: targets.isFar) else { return [] }
        if !unsent.isEmpty {
            // Those that were not sent count for nobody; what failed on this machine would.
            let wasAsked = !failed.union(silent).allSatisfy(targets.isFar)
            return hasFar && wasAsked ? [.offline, .outage] : .offline
        }
        let places = silent.filter(targets.indices.contains).map { targets[$0].place }
        let isOutage =
            Set(places.map(\.address)).count >= 3 && Set(places.map(\.network)).count >= 2
        return isOutage ? .outage : []
    }
}

extension Outcome {
    /// Whether the name was looked up: then the network was there, whatever became of others.
    package var isAnswer: Bool { self == .answered || self == .wrong }
}

extension [Recording.Target] {
    /// Whether the one with this index is not asked on loopback: the failure of one that is tells
    /// nothing of the network, which it may have asked in vain.
    package func isFar(_ index: Int) -> Bool {
        !indices.contains(index) || self[index].address?.scope != .machine
    }

    /// Whether the one with this index is not asked at a private address, as a router's.
    package func isBeyondNetwork(_ index: Int) -> Bool {
        !indices.contains(index) || self[index].address?.isPrivate != true
    }
}

extension Recording.Target {
    /// The network of its address: a /24, or a /48 of IPv6.
    package var network: [UInt8] { place.network }

    /// The address without its port, since two transports or labels of it are one resolver, and its
    /// network.
    fileprivate var place: (address: String, network: [UInt8]) {
        guard let address else {
            let host = endpoint[..<(endpoint.lastIndex(of: ":") ?? endpoint.endIndex)]
            return (String(host), Array(host.utf8))
        }
        return (address.description, Array(address.octets.prefix(address.family == .v4 ? 3 : 6)))
    }
}

/// Which resolvers responded in one round.
package struct RoundResponses: Hashable, Sendable {
    /// The outcome of a round's queries to one resolver.
    package struct Resolver: Hashable, Sendable {
        package var target: Recording.Target
        /// Queries that left.
        package var sent: Int
        /// Those of them to which something came back that belongs to the query, whatever it says.
        package var responses: Int
        /// Whether one of them may be anybody's, since no certificate was verified.
        package var isUnverified: Bool

        package init(
            target: Recording.Target,
            sent: Int,
            responses: Int,
            isUnverified: Bool = false
        ) {
            self.target = target
            self.sent = sent
            self.responses = responses
            self.isUnverified = isUnverified
        }
    }

    package var started: Timestamp
    package var marks: RoundMarks
    package var resolvers: [Resolver]

    package init(started: Timestamp, marks: RoundMarks, resolvers: [Resolver]) {
        self.started = started
        self.marks = marks
        self.resolvers = resolvers
    }
}
