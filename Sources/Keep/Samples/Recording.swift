package import Catalogue
package import DNSWire

/// Samples with the runs, rounds, targets and questions to which they refer. A new run, a samples file and a
/// window of a store all have this type.
package struct Recording: Sendable {
    /// A resolver under its label, over one transport, in one series. Two labels for one endpoint are
    /// separate targets.
    package struct Target: Hashable, Sendable, Codable {
        package var label: String
        /// Address and port, such as `127.0.0.1:5311` or `[::1]:53`. For simulated resolvers, it is `lab:`
        /// and the name.
        package var endpoint: String
        package var transport: Transport
        package var series: Series

        package init(label: String, endpoint: String, transport: Transport, series: Series) {
            self.label = label
            self.endpoint = endpoint
            self.transport = transport
            self.series = series
        }

        /// The address of the endpoint. An IPv4-mapped address becomes the IPv4 address. `nil` if the
        /// endpoint does not begin with an address: in a file, it may be any text. Simulated resolvers are on
        /// this machine.
        package var address: IPAddress? {
            if isSimulated { return IPAddress("127.0.0.1") }
            let place = endpoint.prefix { $0 != "/" && $0 != "#" }
            let host = place.prefix(upTo: place.lastIndex(of: ":") ?? place.endIndex)
            return IPAddress(host.hasPrefix("[") ? host.dropFirst().dropLast() : host)?.unmapped
        }

        /// The same resolver over the same transport in another series.
        package func inSeries(_ series: Series) -> Target {
            Target(label: label, endpoint: endpoint, transport: transport, series: series)
        }

        package var isSimulated: Bool { endpoint.hasPrefix(Resolver.simulated) }
    }

    /// A transport as files and stores write it.
    package struct Transport: Hashable, CustomStringConvertible, ExpressibleByStringLiteral,
        Codable, Sendable
    {
        /// The kind; `nil` for an unknown word, which a file may contain.
        package let kind: TransportKind?
        package let description: String

        package init(_ word: String) {
            kind = TransportKind(rawValue: word)
            description = word
        }

        package init(stringLiteral word: String) { self.init(word) }
    }

    package var runs: [Run]
    /// The rounds without repetitions. The rounds of a run may have any order.
    package var rounds: [Round]
    package var targets: [Target]
    /// The questions. A name of the uncached series is `*.` and its zone, see ``Plan/zoneCount``.
    package var questions: [Question]
    /// The samples in the order of sending.
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

    /// The samples of every target, in the order of sending. All targets need only one pass.
    package func samplesByTarget() -> [[Sample]] { samples(by: { $0.target }, targets.count) }

    /// The samples of every round, in the order of sending.
    package func samplesByRound() -> [[Sample]] { samples(by: { $0.round }, rounds.count) }

    /// The samples of each of `count` indices, in the order of sending. Samples with another index are left
    /// out.
    package func samples(by place: (Sample) -> Int32, _ count: Int) -> [[Sample]] {
        var counts = [Int](repeating: 0, count: count)
        for sample in samples where counts.indices.contains(Int(place(sample))) {
            counts[Int(place(sample))] += 1
        }
        // If all samples have one index, such as those of a single round, the array is not copied. It may be
        // large.
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

    /// The round of a sample; `nil` if the recording does not contain it.
    package func round(of sample: Sample) -> Round? {
        let index = Int(sample.round)
        return rounds.indices.contains(index) ? rounds[index] : nil
    }

    /// The timeout of a round's queries; 5 s if the recording does not contain the round's run.
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

    /// Sorts the samples by their time of sending, or by their planned time if they were not sent.
    package mutating func sortBySending() {
        let rounds = rounds
        samples.sort { left, right in
            let (first, second) = (left.moment, right.moment)
            guard first == second, left.round != right.round else { return first < second }
            let (own, other) = (rounds[Int(left.round)], rounds[Int(right.round)])
            return (own.run, own.number) < (other.run, other.number)
        }
    }

    /// Sets the start of each round. Also sets the marks that follow from the samples, for rounds that are
    /// `unmarked`.
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
        // Few rounds have no answer at all, so that the rule examines few samples.
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
    /// Adds the rounds of `other`, which this recording must not contain. Equal runs, targets and questions
    /// are stored once.
    package mutating func merge(_ other: Recording) {
        guard !other.samples.isEmpty else { return }
        guard !samples.isEmpty else {
            self = other
            return
        }
        samples += adopt(other)
    }

    /// Adds the rounds of `other`, which this recording must not contain, without their samples. Returns the
    /// samples with the indices of this recording. Equal runs, targets and questions are stored once.
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

    /// The index in `texts` of each of the others. New ones are added. `nil` if both arrays are equal, as in
    /// rounds of one run.
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
