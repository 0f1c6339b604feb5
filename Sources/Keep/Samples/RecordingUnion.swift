/// The union of recordings. Several recordings may contain parts of one round. A sample in more than one
/// recording counts once.
package struct RecordingUnion: Sendable {
    package private(set) var recording = Recording()
    /// The indices of the rounds, by run and number. A run without a name may have several rounds with one
    /// number.
    private var places: [Round.Key: [Int32]] = [:]
    /// The time from the first sample of each round to its last.
    private var spans: [ClosedRange<Timestamp>?] = []

    /// A sample of one of the rounds.
    private struct Place: Hashable {
        let round: Int32
        let sample: SampleKey

        init(_ sample: Sample) {
            round = sample.round
            let probe = Int64(sample.target) << 32 | Int64(sample.question)
            self.sample = SampleKey(
                probe: probe,
                scheduled: sample.scheduled,
                sent: sample.observation.sent
            )
        }
    }

    package init() {}

    package mutating func add(_ other: Recording) {
        let (rounds, samples) = (recording.rounds.count, recording.samples.count)
        recording.merge(other)
        let spans = recording.spans(of: recording.samples[samples...], fromRound: rounds)
        let (found, shared) = joinRounds(from: rounds, spans)
        var known: [Place: Int] = [:]
        for sample in recording.samples[..<(shared.isEmpty ? 0 : samples)]
        where shared.contains(sample.round) {
            known[Place(sample), default: 0] += 1
        }
        var end = samples
        for index in samples..<recording.samples.count {
            var sample = recording.samples[index]
            sample.round = found[Int(sample.round) - rounds]
            if !known.isEmpty {
                let place = Place(sample)
                if let times = known[place] {
                    known[place] = times > 1 ? times - 1 : nil
                    continue
                }
            }
            recording.samples[end] = sample
            end += 1
        }
        recording.samples.removeSubrange(end...)
        if !shared.isEmpty { recording.settleSilence(ofRounds: shared) }
        if samples > 0, end > samples { recording.sortBySending() }
    }

    /// Merges the rounds from index `first` on with the earlier ones. Returns the new index of each round,
    /// and the earlier rounds that gained a part.
    private mutating func joinRounds(
        from first: Int,
        _ spans: [ClosedRange<Timestamp>?]
    ) -> (places: [Int32], shared: Set<Int32>) {
        let added = Array(recording.rounds[first...])
        recording.rounds.removeSubrange(first...)
        var found: [Int32] = []
        var shared: Set<Int32> = []
        for (round, span) in zip(added, spans) {
            let known = places[round.key]?.first { isSame(round, span, as: Int($0)) }
            guard let known else {
                let place = Int32(clamping: recording.rounds.count)
                places[round.key, default: []].append(place)
                recording.rounds.append(round)
                self.spans.append(span)
                found.append(place)
                continue
            }
            recording.rounds[Int(known)].join(round)
            if let span { self.spans[Int(known)] = self.spans[Int(known)]?.union(span) ?? span }
            found.append(known)
            if Int(known) < first { shared.insert(known) }
        }
        return (found, shared)
    }

    /// Whether both rounds are the same. Runs without a name are different runs if they were measured at
    /// different times.
    private func isSame(_ round: Round, _ span: ClosedRange<Timestamp>?, as known: Int) -> Bool {
        guard recording.runs[Int(round.run)].id.isEmpty else { return true }
        guard let span, let other = spans[known] else { return true }
        return span.overlaps(other)
    }
}

extension Recording {
    /// Removes the marks of silence from these rounds if any resolver responded. A part of a round may have
    /// such a mark although another part contains a response.
    fileprivate mutating func settleSilence(ofRounds shared: Set<Int32>) {
        let silent: [Outcome] = [.timeout, .offline, .blocked]
        for sample in samples where shared.contains(sample.round) {
            let outcome = sample.observation.outcome
            guard !silent.contains(outcome),
                outcome.isAnswer || targets.isFar(Int(sample.target))
            else { continue }
            rounds[Int(sample.round)].marks.subtract([.offline, .outage])
        }
    }

    /// The time from the first sample of each round to its last, for the rounds from an index on.
    fileprivate func spans(
        of samples: ArraySlice<Sample>,
        fromRound first: Int
    ) -> [ClosedRange<Timestamp>?] {
        var spans = [ClosedRange<Timestamp>?](repeating: nil, count: rounds.count - first)
        for sample in samples {
            let index = Int(sample.round) - first
            let span = min(sample.scheduled, sample.moment)...sample.moment
            spans[index] = spans[index]?.union(span) ?? span
        }
        return spans
    }
}

extension Round {
    /// Takes the earlier start of both parts of the round, and adds the marks of the other part.
    fileprivate mutating func join(_ part: Round) {
        started = min(started, part.started)
        marks.formUnion(part.marks)
    }
}
