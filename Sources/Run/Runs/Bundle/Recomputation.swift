import Analysis
import Catalogue
import DNSWire
package import Evidence
import Files
import Measurement
package import Samples
import Transports

/// The samples of a run, computed again from the messages of its bundle.
///
/// Some facts are in no message, and come from the bundle's samples. They are the network's round
/// trips, connections to answered addresses, and rounds in which the machine was suspended.
package struct Recomputation {
    private let recorded: RecordedPlan
    private let told: ToldSamples
    private let texts: Recording
    private let warmups: WarmupTracker
    private let pages: BlockPageWatch
    /// The evidence for the verdict; `nil` if the run has no verdict, or one that needs more than
    /// the messages.
    private let evidence: RunEvidence?
    private let noAnswers: WarmupAnswers
    /// The maximum number of warm-ups in a round. Each round of a schedule has its own.
    private let mostWarmups: Int
    private var open: [Int: OpenRound] = [:]
    private var next = 1
    package private(set) var recording = Recording()
    /// The query IDs of a registered measurement, by the plan's index of targets.
    package let ids = QueryIDs()
    package private(set) var messages = 0
    /// The number of queries at another place than the seed determines.
    package private(set) var misplaced = 0
    /// The number of queries whose place in the plan was looked up.
    private var ordered = 0
    private static let mostUnasked = 1_000_000

    private struct OpenRound {
        /// The number of queries; `nil` until a counted query has ended.
        var queries: Int?
        /// The number of warm-ups that have ended, and their answers, which show the state of
        /// caches.
        var warmups = 0
        let answers: WarmupAnswers
        /// The samples by their place in the round.
        var samples: [Int: Sample] = [:]
        /// The position, target and question of each query that has ended.
        var places: [(position: Int, target: Int, question: Int)] = []

        /// Whether all queries have ended, in a round with `most` warm-ups. Warm-ups may end after
        /// the other queries, and rounds after later rounds.
        func isOver(withWarmups most: Int) -> Bool {
            queries.map { places.count >= $0 } == true && warmups >= most
        }
    }

    package init(of folder: EvidenceFolder, _ recorded: RecordedPlan) throws {
        self.recorded = recorded
        let plan = recorded.plan
        let samples = try InputChunks(ofSamples: folder)
        var rows = SamplesStream(.csv, file: samples.path, source: samples.next)
        told = try ToldSamples(rows.rest())
        texts = Recording(runs: [recorded.run], targets: plan.targets, questions: plan.questions)
        warmups = WarmupTracker(plan)
        noAnswers = WarmupAnswers(plan)
        mostWarmups = recorded.isComparison ? 0 : plan.mostWarmups
        pages = BlockPageWatch(plan)
        evidence =
            recorded.isComparison && !recorded.followsAnswers
            ? RunEvidence(
                plan,
                baseline: recorded.run.baseline,
                margin: recorded.run.margin ?? .usualMargin,
                tampering: recorded.tampering
            ) : nil
        try folder.forEachExchange(of: recorded.source) { add($0) }
        finish()
    }

    private mutating func add(_ record: ExchangeRecord) {
        messages += record.exchange.log.count
        let probe = Probe(
            round: record.isWarmup ? 0 : max(1, record.round),
            target: record.target,
            question: record.question
        )
        if recorded.plan.sampling == .poisson { ids.note(record.exchange, of: probe) }
        let addresses = recorded.plan.cachedAddresses(of: record.exchange, to: probe)
        pages.note(addresses ?? [], of: probe, inRound: record.round)
        var observation = Observation(
            of: record.exchange,
            to: probe,
            of: recorded.plan,
            expecting: recorded.expectations
        )
        observation?.lateness = record.lateness
        if let known = observation { observation?.cache = warmups.note(known, of: probe) }
        if record.isWarmup, recorded.isComparison { return }
        var round =
            open.removeValue(forKey: record.round)
            ?? OpenRound(answers: noAnswers.ofAnotherRound())
        if record.isWarmup {
            round.warmups += 1
            if let observation { round.answers.note(observation, of: probe) }
        } else {
            Self.end(record, observation, of: probe, in: &round)
        }
        open[record.round] = round
        deliver(after: record.round)
    }

    private static func end(
        _ record: ExchangeRecord,
        _ observation: Observation?,
        of probe: Probe,
        in round: inout OpenRound
    ) {
        round.queries = round.queries ?? record.queries
        round.places.append((record.position, probe.target, probe.question))
        if let observation {
            round.samples[record.position] = Sample(
                round: 0,
                target: Int32(clamping: probe.target),
                question: Int32(clamping: probe.question),
                scheduled: Timestamp(nanoseconds: record.scheduled),
                observation: observation
            )
        }
    }

    /// Passes on all complete rounds after a query of round `number` has ended.
    private mutating func deliver(after number: Int) {
        if !recorded.isComparison {
            if open[number]?.isOver(withWarmups: mostWarmups) == true { deliver(number) }
            return
        }
        // The rounds of a comparison are evaluated in their order, even if the last answer of a
        // round is late.
        while open[next]?.isOver(withWarmups: mostWarmups) == true { deliver(next) }
    }

    /// The number of queries of a round at another place than in the plan.
    private mutating func misplaced(in round: OpenRound, _ number: Int) -> Int {
        let plan = recorded.plan
        // If rounds ask parts or overlap, the plan alone does not determine their order.
        guard !plan.asksInParts, plan.sampling == .periodic else { return 0 }
        // A run asks all planned queries except a few rounds. A bundle can claim any number of
        // rounds, so that this limits the work.
        let isAsked = ordered + plan.probesPerRound <= Self.mostUnasked + messages
        guard isAsked else { return round.places.count }
        let planned =
            recorded.isComparison
            ? plan.probes(inRound: number) : plan.single(number).probes(inRound: 1)
        ordered += planned.count
        return round.places.count { place in
            !planned.indices.contains(place.position)
                || planned[place.position].target != place.target
                || planned[place.position].question != place.question
        }
    }

    private mutating func finish() {
        for number in open.keys.sorted() { deliver(number) }
    }

    private mutating func deliver(_ number: Int) {
        guard let ended = open.removeValue(forKey: number) else { return }
        next = max(next, number + 1)
        misplaced += misplaced(in: ended, number)
        let samples = ended.samples.sorted { $0.key < $1.key }.map(\.value)
        let isWhole = samples.count == ended.queries
        // A schedule keeps whole rounds only.
        guard recorded.isComparison ? !samples.isEmpty : isWhole else { return }
        var round = texts.round(
            number,
            of: samples,
            isWhole: isWhole,
            marks: told.marks(ofRound: number)
        )
        if !recorded.isComparison { ended.answers.tell(in: &round) }
        pages.leaveOut(of: &round, number: number)
        round.mark(recorded.tampering)
        told.complete(&round, followsAnswers: recorded.followsAnswers)
        evidence?.add(&round)
        recording.merge(round)
    }
}

extension RecordedPlan {
    /// Whether the run has its own report, which evaluates its rounds.
    package var isComparison: Bool { run.origin == .compare }
}

/// The part of the samples that no message contains.
private struct ToldSamples {
    private struct Key: Hashable {
        let round: Int32
        let target: Recording.Target
        let question: Question
    }

    private var extras: [Key: Observation.Extras] = [:]
    private var suspended: Set<Int32> = []

    init(_ recording: Recording) {
        for round in recording.rounds where round.marks.contains(.suspended) {
            suspended.insert(round.number)
        }
        for sample in recording.samples {
            guard let extras = sample.observation.extras else { continue }
            self.extras[Self.key(sample, recording)] = extras
        }
    }

    private static func key(_ sample: Sample, _ recording: Recording) -> Key {
        Key(
            round: recording.rounds[Int(sample.round)].number,
            target: recording.targets[Int(sample.target)],
            question: recording.questions[Int(sample.question)]
        )
    }

    func marks(ofRound number: Int) -> RoundMarks {
        suspended.contains(Int32(clamping: number)) ? .suspended : []
    }

    /// Adds this part to the samples of a round. If the run connected to answered addresses, it
    /// also determines the rounds that are no evidence.
    func complete(_ round: inout Recording, followsAnswers: Bool) {
        for index in round.samples.indices {
            guard let extras = extras[Self.key(round.samples[index], round)] else { continue }
            let flags = followsAnswers ? extras.flags.intersection(.noEvidence) : []
            guard
                extras.networkRTT != nil || extras.edge != nil || extras.packets != nil
                    || !flags.isEmpty
            else { continue }
            round.samples[index].observation.add(
                flags,
                edge: extras.edge,
                networkRTT: extras.networkRTT,
                packets: extras.packets
            )
        }
    }
}
