import Catalogue

/// A round counts within its run.
package struct RoundKey: Hashable, Sendable {
    /// Index into the recording's runs.
    package var run: Int32
    package var round: Int32

    package init(run: Int32, round: Int32) {
        self.run = run
        self.round = round
    }
}

/// What keeps a round out of the resolvers' figures: it says something of the connection or of
/// this machine, and nothing of any one resolver.
package struct RoundMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There was no route to any resolver, and nothing was sent.
    package static let offline = RoundMarks(rawValue: 1)
    /// Every one of at least three resolvers in at least two networks was silent.
    package static let outage = RoundMarks(rawValue: 2)
    /// The machine was suspended inside the round.
    package static let suspended = RoundMarks(rawValue: 4)

    /// What the samples of one round tell; whether the machine was suspended, only those of a
    /// comparison do. `targets` is what the samples refer to.
    package static func of(
        _ samples: some Collection<Sample>,
        targets: [Recording.Target]
    ) -> RoundMarks {
        let slept: RoundMarks = samples.contains(where: \.tellsOfSleep) ? .suspended : []
        return connection(samples, targets: targets).union(slept)
    }

    /// What keeps it out for the connection's sake.
    private static func connection(
        _ samples: some Collection<Sample>,
        targets: [Recording.Target]
    ) -> RoundMarks {
        var sent: Set<Int> = []
        var isOffline = false
        for sample in samples {
            switch sample.observation.outcome {
            case .offline: isOffline = true
            case .blocked: break
            case .timeout: sent.insert(Int(sample.target))
            default: return isOffline ? .offline : []
            }
        }
        if isOffline { return .offline }
        let addresses = sent.filter(targets.indices.contains)
            .map { AddressPlace(endpoint: targets[$0].endpoint) }
        let isOutage =
            Set(addresses.map(\.address)).count >= 3 && Set(addresses.map(\.network)).count >= 2
        return isOutage ? .outage : []
    }
}

extension Sample {
    /// Whether the machine slept in its round, as the sample says.
    package var tellsOfSleep: Bool { observation.flags.contains(.slept) }
}

/// Who is behind an endpoint, and in which network: a /24, or a /48 of IPv6.
private struct AddressPlace {
    /// The address without its port: two transports or labels of it are one resolver.
    var address: String
    var network: [UInt8]

    init(endpoint: String) {
        guard let parsed = IPAddress(endpoint: endpoint) else {
            let host = endpoint.prefix(upTo: endpoint.lastIndex(of: ":") ?? endpoint.endIndex)
            address = String(host)
            network = Array(host.utf8)
            return
        }
        address = parsed.description
        network = Array(parsed.octets.prefix(parsed.family == .v4 ? 3 : 6))
    }
}

/// Which resolvers responded in one round.
package struct RoundResponses: Hashable, Sendable {
    /// What came of a round's queries to one resolver.
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

/// One counted round, every query of which has come to its end.
package struct MeasuredRound: Sendable {
    /// Counts from 1.
    package var number: Int
    /// In the order of sending.
    package var samples: [Sample]
    /// Whether every query of the plan has a sample; an interrupted round lacks some.
    package var isWhole: Bool
    /// Whether the machine slept between its first query and the last outcome.
    package var slept: Bool

    package init(number: Int, samples: [Sample], isWhole: Bool, slept: Bool = false) {
        self.number = number
        self.samples = samples
        self.isWhole = isWhole
        self.slept = slept
    }

    /// What keeps it out of the resolvers' figures; `targets` is what its samples refer to.
    package func marks(targets: [Recording.Target]) -> RoundMarks {
        RoundMarks.of(samples, targets: targets).union(slept ? .suspended : [])
    }
}
