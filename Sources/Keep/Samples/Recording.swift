package import Catalogue
package import DNSWire

/// Samples with the texts that they refer to: a run just measured, a samples file and a window of
/// a store are the same thing to everything that reads them.
package struct Recording: Sendable {
    /// A resolver under its label, over one transport, in one series. Two labels may name one
    /// endpoint; they are kept apart.
    package struct Target: Hashable, Sendable, Codable {
        package var label: String
        /// Address and port, such as `127.0.0.1:5311` or `[::1]:53`; of simulated resolvers `lab:`
        /// and their name.
        package var endpoint: String
        package var transport: Transport
        package var series: Series

        package init(label: String, endpoint: String, transport: Transport, series: Series) {
            self.label = label
            self.endpoint = endpoint
            self.transport = transport
            self.series = series
        }

        /// An IPv4-mapped one as the IPv4 address that it leads to; `nil` where the endpoint, which
        /// may be any text in a file, begins with none. Simulated resolvers are on this machine.
        package var address: IPAddress? {
            if isSimulated { return IPAddress("127.0.0.1") }
            let place = endpoint.prefix { $0 != "/" && $0 != "#" }
            let host = place.prefix(upTo: place.lastIndex(of: ":") ?? place.endIndex)
            return IPAddress(host.hasPrefix("[") ? host.dropFirst().dropLast() : host)?.unmapped
        }

        package var isSimulated: Bool { endpoint.hasPrefix(Resolver.simulated) }
    }

    /// A transport as files and stores write it.
    package struct Transport: Hashable, CustomStringConvertible, ExpressibleByStringLiteral,
        Codable, Sendable
    {
        /// `nil` for a word that is none, which files may have too.
        package let kind: TransportKind?
        package let description: String

        package init(_ word: String) {
            kind = TransportKind(rawValue: word)
            description = word
        }

        package init(stringLiteral word: String) { self.init(word) }
    }

    package var runs: [Run]
    /// Each once; a run's in any order.
    package var rounds: [Round]
    package var targets: [Target]
    /// A name of the uncached series is `*.` and its zone: see ``Plan/zoneCount``.
    package var questions: [Question]
    /// In the order of sending.
    package var samples: [Sample]

    package init(
        runs: [Run] = [],
        rounds: [Round] = [],
        targets: [Target] = [],
        questions: [Question] = [],
        samples: [Sample] = []
    ) {
        self.runs = runs
        self.rounds = rounds
        self.targets = targets
        self.questions = questions
        self.samples = samples
    }

    /// The samples of every target, in the order of sending; one pass for all.
    package func samplesByTarget() -> [[Sample]] { samples(by: { $0.target }, targets.count) }

    /// The samples of every round, in the order of sending.
    package func samplesByRound() -> [[Sample]] { samples(by: { $0.round }, rounds.count) }

    /// The samples of each of `count` places, in the order of sending; those of no place in none.
    package func samples(by place: (Sample) -> Int32, _ count: Int) -> [[Sample]] {
        var counts = [Int](repeating: 0, count: count)
        for sample in samples where counts.indices.contains(Int(place(sample))) {
            counts[Int(place(sample))] += 1
        }
        // Not copied, as of one round, which may be large.
        if let all = counts.firstIndex(of: samples.count), !samples.isEmpty {
            var slices = [[Sample]](repeating: [], count: count)
            slices[all] = samples
            return slices
        }
        var slices = counts.map { count in
            var slice: [Sample] = []
            slice.reserveCapacity(count)
            return slice
        }
        for sample in samples where slices.indices.contains(Int(place(sample))) {
            slices[Int(place(sample))].append(sample)
        }
        return slices
    }

    /// The round of a sample; `nil` for one that the recording does not have.
    package func round(of sample: Sample) -> Round? {
        let index = Int(sample.round)
        return rounds.indices.contains(index) ? rounds[index] : nil
    }

    /// The timeout of a round's queries; 5 s where the recording does not contain its run.
    package func timeout(of round: Round) -> Duration {
        runs.indices.contains(Int(round.run)) ? runs[Int(round.run)].timeout : .seconds(5)
    }

    /// The rounds of one run.
    package func rounds(of run: Run) -> Recording {
        var part = self
        part.runs = [run]
        part.rounds = []
        var places: [Int32: Int32] = [:]
        for (index, var round) in rounds.enumerated() where runs[Int(round.run)].key == run.key {
            places[Int32(clamping: index)] = Int32(clamping: part.rounds.count)
            round.run = 0
            part.rounds.append(round)
        }
        part.samples = samples.compactMap { sample in
            guard let round = places[sample.round] else { return nil }
            var sample = sample
            sample.round = round
            return sample
        }
        return part
    }

    /// Puts the samples into the order of sending: by when they left, or should have.
    package mutating func sortBySending() {
        let rounds = rounds
        samples.sort { left, right in
            let (first, second) = (left.moment, right.moment)
            guard first == second, left.round != right.round else { return first < second }
            let (own, other) = (rounds[Int(left.round)], rounds[Int(right.round)])
            return (own.run, own.number) < (other.run, other.number)
        }
    }

    /// Sets when each round started, and the marks that its samples tell, of those that are `unmarked`.
    package mutating func markRounds(unmarked: (Round) -> Bool = { _ in true }) {
        var starts = [Timestamp?](repeating: nil, count: rounds.count)
        let isUnmarked = rounds.map(unmarked)
        var isTold = isUnmarked.map { !$0 }
        for sample in samples where rounds.indices.contains(Int(sample.round)) {
            let round = Int(sample.round)
            starts[round] = min(starts[round] ?? sample.scheduled, sample.scheduled)
            if sample.observation.outcome.isAnswer { isTold[round] = true }
            if isUnmarked[round], sample.observation.flags.contains(.slept) {
                rounds[round].marks.insert(.suspended)
            }
        }
        // Few rounds are without any answer, so the rule looks at few samples.
        var suspects: [Int32: [Sample]] = [:]
        for sample in samples where rounds.indices.contains(Int(sample.round)) {
            if !isTold[Int(sample.round)] { suspects[sample.round, default: []].append(sample) }
        }
        for (round, samples) in suspects {
            rounds[Int(round)].marks.formUnion(RoundMarks.of(samples, targets: targets))
        }
        for (round, start) in starts.enumerated() {
            if let start { rounds[round].started = start }
        }
    }
}

extension Recording {
    /// Adds the rounds of `other`, none of which is here; runs, targets and questions that both have
    /// stay one.
    package mutating func merge(_ other: Recording) {
        guard !other.samples.isEmpty else { return }
        guard !samples.isEmpty else {
            self = other
            return
        }
        samples += adopt(other)
    }

    /// Adds the rounds of `other`, which are new here, without their samples. Returns the samples with
    /// the indexes of this recording; runs, targets and questions that both have stay one.
    package mutating func adopt(_ other: Recording) -> [Sample] {
        guard !rounds.isEmpty else {
            self = other
            samples = []
            return other.samples
        }
        let runPlaces = Self.places(of: other.runs, in: &runs, by: \.key)
        let firstRound = Int32(clamping: rounds.count)
        for var round in other.rounds {
            if let runPlaces { round.run = runPlaces[Int(round.run)] }
            rounds.append(round)
        }
        let targetPlaces = Self.places(of: other.targets, in: &targets, by: \.self)
        let questionPlaces = Self.places(of: other.questions, in: &questions, by: \.self)
        return other.samples.map { sample in
            var sample = sample
            sample.round += firstRound
            if let targetPlaces { sample.target = targetPlaces[Int(sample.target)] }
            if let questionPlaces { sample.question = questionPlaces[Int(sample.question)] }
            return sample
        }
    }

    /// The place in `texts` of each of the others, which are added where they are new; `nil` where
    /// both are the same, as in rounds of one run.
    private static func places<Text: Equatable, Key: Hashable>(
        of others: [Text],
        in texts: inout [Text],
        by key: (Text) -> Key
    ) -> [Int32]? {
        if others == texts || others.lazy.map(key).elementsEqual(texts.lazy.map(key)) {
            return nil
        }
        var known: [Key: Int32] = [:]
        for (index, text) in texts.enumerated() { known[key(text)] = Int32(clamping: index) }
        return others.map { text in
            known.place(of: key(text), in: &texts, adding: text)
        }
    }
}

extension Dictionary where Value == Int32 {
    /// The index in `elements` of the element with `key`. An element with a new key is appended.
    package mutating func place<Element>(
        of key: Key,
        in elements: inout [Element],
        adding element: @autoclosure () throws -> Element
    ) rethrows -> Int32 {
        if let place = self[key] { return place }
        let place = Int32(clamping: elements.count)
        elements.append(try element())
        self[key] = place
        return place
    }
}
