import Samples

/// What a store must contain, computed independently of the store.
struct Expected {
    struct Key: Hashable {
        var run: String
        var number: Int32
    }

    struct Entry {
        let recording: Recording
        /// Of the recording when it was stored.
        let digest: Int
        /// Whether the samples are gone.
        var isPruned = false
        /// Whether the round was announced as stored. Another one may be stored too, if a crash came after
        /// its commit, but a power cut may still lose it.
        var isAnnounced: Bool
    }

    /// The sums of one hour, by place, resolver and hour. A store may divide them further.
    struct Sum: Hashable {
        var sent = 0
        var answered = 0
        /// Nanoseconds.
        var time: Int64 = 0
    }

    struct Place: Hashable {
        var vantage: String
        var resolver: String
        var hour: Int64
    }

    private(set) var rounds: [Key: Entry] = [:]

    static func key(of recording: Recording) -> Key {
        Key(run: recording.runs[0].id, number: recording.rounds[0].number)
    }

    mutating func add(_ recording: Recording, isAnnounced: Bool = true) {
        rounds[Self.key(of: recording)] = Entry(
            recording: recording,
            digest: recording.digest,
            isAnnounced: isAnnounced
        )
    }

    mutating func remove(_ key: Key) { rounds[key] = nil }

    /// Adds a round of another store.
    mutating func add(_ entry: Entry) { rounds[Self.key(of: entry.recording)] = entry }

    /// Prunes the rounds for which `isPruned` holds. It gets the time at which the last query was sent.
    mutating func prune(_ isPruned: (Key, Timestamp) -> Bool) {
        for (key, entry) in rounds where !entry.isPruned && isPruned(key, entry.stop) {
            rounds[key]?.isPruned = true
        }
    }

    /// The sums of the counted rounds.
    var sums: [Place: Sum] {
        var sums: [Place: Sum] = [:]
        for entry in rounds.values where entry.recording.rounds[0].isCounted {
            let recording = entry.recording
            for sample in recording.samples {
                let place = Place(
                    vantage: recording.runs[0].vantage,
                    resolver: recording.targets[Int(sample.target)].label,
                    hour: sample.moment.hour
                )
                sums[place, default: Sum()].add(sample.observation)
            }
        }
        return sums
    }
}

extension Expected.Entry {
    /// The time at which the last query was sent.
    var stop: Timestamp {
        recording.samples.map(\.moment).max() ?? recording.rounds[0].started
    }
}

extension Expected.Sum {
    mutating func add(_ observation: Observation) {
        // Without a route, nothing is sent.
        guard observation.outcome != .offline, observation.outcome != .blocked else { return }
        sent += 1
        guard observation.outcome == .answered, let time = observation.roundTrip else { return }
        answered += 1
        self.time += time
    }
}

extension Timestamp {
    /// The hour since 1970.
    var hour: Int64 {
        let (hours, rest) = nanoseconds.quotientAndRemainder(dividingBy: 3_600_000_000_000)
        return rest < 0 ? hours - 1 : hours
    }
}
