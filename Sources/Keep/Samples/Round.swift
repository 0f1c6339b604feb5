import Catalogue

/// One round, in which every resolver is queried once for every question.
package struct Round: Hashable, Sendable {
    /// The part of a round that identifies it within a recording.
    package struct Key: Hashable, Sendable {
        package let run: Int32
        package let number: Int32
    }

    /// Index into ``Recording/runs``.
    package var run: Int32
    /// The number of the round within the run, from 1.
    package var number: Int32
    /// The planned time of its first query.
    package var started: Timestamp
    package var marks: RoundMarks
    /// Whether every query of the plan has a sample. An interrupted round lacks samples.
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

    /// Whether the round's samples describe the resolvers.
    package var isCounted: Bool { marks.areCounted }
}

/// A round of one place in a history, or several successive rounds at even intervals.
package struct RoundMoment: Hashable, Sendable {
    package var vantage: String
    package var started: Timestamp
    package var marks: RoundMarks
    /// The purpose of the run.
    package var origin: Run.Origin
    /// The start of the last of the rounds.
    package var last: Timestamp
    package var rounds: Int

    /// Creates one round, or `rounds` rounds from `started` to `last`.
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

/// Marks that exclude a round from the resolvers' figures. Such a round describes the connection or this
/// machine, and no single resolver.
package struct RoundMarks: NamedOptions, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No resolver had a route, except for resolvers on this machine, and these did not answer.
    package static let offline = RoundMarks(rawValue: 1)
    /// All resolvers were silent: at least three, in at least two networks. An offline round also has this
    /// mark if it contains a query to a resolver on this machine.
    package static let outage = RoundMarks(rawValue: 2)
    /// The machine was suspended during the round.
    package static let suspended = RoundMarks(rawValue: 4)
    /// The names of the round were queried before. The round measures the latency of cached answers.
    package static let again = RoundMarks(rawValue: 8)

    package static let words: [(RoundMarks, String)] = [
        (.offline, "offline"), (.outage, "outage"), (.suspended, "suspended"),
        (.again, "again"),
    ]

    /// Whether the samples of a round with these marks describe the resolvers. Offline samples were not sent,
    /// as their outcomes show.
    package var areCounted: Bool { isDisjoint(with: [.outage, .suspended, .again]) }

    /// The marks that follow from the samples of one round. `targets` are the targets of the samples.
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
            // Unsent queries count for no resolver. A failed query to a resolver on this machine would count.
            // The round is therefore also marked as an outage.
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
    /// Whether the name was resolved. The network was then reachable, whatever the outcome of other queries.
    package var isAnswer: Bool { self == .answered || self == .wrong }

    /// Whether the resolver gave an answer, including a filtered one. An error response is not an answer.
    package var showsAvailability: Bool { isAnswer || self == .filtered }
}

extension [Recording.Target] {
    /// Whether the target with this index is not on loopback. The failure of a resolver on loopback says
    /// nothing about the network: the resolver may have failed to reach its own upstream server.
    package func isFar(_ index: Int) -> Bool {
        !indices.contains(index) || self[index].address?.scope != .machine
    }

    /// Whether the target with this index is not at a private address, such as a router's.
    package func isBeyondNetwork(_ index: Int) -> Bool {
        !indices.contains(index) || self[index].address?.isPrivate != true
    }
}

extension Recording.Target {
    /// The network of the target's address: a /24 for IPv4, or a /48 for IPv6.
    package var network: [UInt8] { place.network }

    /// The address without its port, and its network. Several transports or labels with one address are one
    /// resolver.
    fileprivate var place: (address: String, network: [UInt8]) {
        guard let address else {
            let host = endpoint[..<(endpoint.lastIndex(of: ":") ?? endpoint.endIndex)]
            return (String(host), Array(host.utf8))
        }
        return (address.description, Array(address.bytes.prefix(address.family == .v4 ? 3 : 6)))
    }
}

/// The responses of the resolvers in one round.
package struct RoundResponses: Hashable, Sendable {
    /// The outcome of a round's queries to one resolver.
    package struct Resolver: Hashable, Sendable {
        package var target: Recording.Target
        /// The number of queries that were sent.
        package var sent: Int
        /// The number of queries with a matching response, whatever the response contains.
        package var responses: Int
        /// Whether a response came from an unauthenticated server, because no certificate was verified.
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
