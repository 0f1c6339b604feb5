import Catalogue
import Failures
import Measurement
import Processes
package import Samples
import Statistics
import Synchronization
import Transports

/// Follows the answers of a run's rounds, beside its queries: connects to where they lead, and puts
/// into the samples how long that took.
package final class ContentConnects: Sendable {
    private typealias Pace = ConnectPace<EventLoopClock.Instant>

    /// Where an answer leads, and where the connection leaves.
    private struct Place: Hashable {
        var address: IPAddress
        var source: QuerySource?
    }

    private struct State {
        var pace: Pace
        var underWay: Task<Void, Never>?
        var readings: [AnswerDistance] = []
    }

    private let state: Mutex<State>
    private let answers = AnsweredAddresses()
    private let plan: Plan
    private let port: UInt16
    private let allowed: AllowedNetworks
    /// By the plan's index of targets.
    private let sources: [QuerySource?]
    /// Targets whose answers are followed, the baseline first.
    private let members: [Int]
    private let clock = EventLoopClock()

    private static let timeout = Duration.milliseconds(ContentRound.longestConnection)
    /// More resolvers than this are asked few names a round, and none is followed.
    static let mostResolvers = 20

    /// Goes on after `earlier` rounds of the run.
    package init(_ order: RunOrder, port: UInt16?, earlier: Recording?) throws {
        plan = order.plan
        sources = order.endpoints.map(\.source)
        self.port = port ?? 443
        // Answers of the lab are made up: who has such an address is nobody's business.
        allowed =
            order.lab == nil ? order.allowed : order.allowed.narrowed(to: try .loopback)
        let targets = plan.targets
        let baseline = targets.baseline(order.baseline, in: .cached)
        members =
            [baseline].compactMap(\.self)
            + targets.indices.filter { targets[$0].series == .cached && $0 != baseline }
        guard !members.isEmpty else {
            throw Failure.usage(
                "--connect follows the answers of cached names, and this run asks for none: leave it out"
            )
        }
        let followed = earlier?.samples.filter { $0.observation.extras?.edge != nil } ?? []
        state = Mutex(State(pace: Pace(after: Set(followed.map(\.round)).count)))
    }

    /// A note on what is connected to, and how often.
    package var note: String {
        "connecting to TCP port \(port) of the addresses that the resolvers answer, at most 5 per "
            + "second and \(Pace.mostRounds) times to each"
            + (sources.uniqued.count > 1 ? " from each source" : "")
            + "; --no-connect leaves it out"
    }

    /// Whether no more rounds are followed.
    var isSpent: Bool { state.withLock(\.pace.isSpent) }

    /// How far the answers led so far.
    var distances: AnswerDistances {
        AnswerDistances(port: port, readings: state.withLock(\.readings))
    }

    /// Takes in the addresses that a query was answered.
    func note(_ addresses: [[UInt8]], of probe: Probe) {
        if members.contains(probe.target) { answers.note(addresses, of: probe) }
    }

    /// Whether the round that is about to begin is to ask every name, so that it can be followed.
    func claim() -> Bool {
        state.withLock { $0.pace.claim(at: clock.now) }
    }

    /// Follows the answers of round `number` of the plan, if that is due, and hands the round on with
    /// what it found, and whose answers were followed; false where it is not to be followed, for one
    /// because it is not `isWanted`.
    func follow(
        _ round: Recording,
        number: Int,
        isWanted: Bool,
        then: @escaping @Sendable (Recording, _ followed: Set<Int>) -> Void
    ) -> Bool {
        let found = answers.take(inRound: number)
        guard isWanted, isFull(round) else { return false }
        return state.withLock { state in
            let others = members.dropFirst()
            let turn =
                others.startIndex + (others.isEmpty ? 0 : state.pace.rounds % others.count)
            let connects = ConnectPlan(
                answers: found.mapValues { answers in
                    Dictionary(
                        uniqueKeysWithValues: answers.map { ($0, places(of: $1, target: $0)) }
                    )
                },
                order: Array(members.prefix(1) + others[turn...]) + others[..<turn]
            )
            let onLoopback = connects.addresses.allSatisfy(\.address.isLoopback)
            guard let start = state.pace.begin(at: clock.now, onLoopback: onLoopback) else {
                return false
            }
            state.underWay = Task { [self] in
                try? await clock.sleep(until: start, tolerance: nil)
                let step = onLoopback ? .zero : Pace.step
                let reached = await connects.addresses.readings(every: step) { [allowed, port] in
                    await TCPHandshake(
                        with: $0.address,
                        port: port,
                        from: $0.source,
                        allowed: allowed
                    )
                    .measure(timeout: Self.timeout)
                }
                let isWhole = reached.count == connects.addresses.count
                note(connects, found, isWhole ? reached : [:])
                then(
                    isWhole ? round.followed(connects, reached) : round,
                    isWhole ? Set(connects.followed) : []
                )
                self.state.withLock { $0.pace.end() }
            }
            return true
        }
    }

    /// The places of an answer that may be connected to, and can be from where `target` is asked.
    private func places(of addresses: [IPAddress], target: Int) -> [Place] {
        let source = sources[target]
        return addresses.filter { allowed.allows($0) && source?.reaches($0) ?? true }
            .map { Place(address: $0, source: source) }
    }

    /// Waits until no connection is under way; cancelling who waits cancels them.
    func finish() async { await state.withLock(\.underWay)?.cancellingValue }

    private func note(
        _ connects: ConnectPlan<Place>,
        _ found: [Int: [Int: [IPAddress]]],
        _ reached: [Place: Reach]
    ) {
        var readings: [AnswerDistance] = []
        for (question, answers) in found {
            for (target, addresses) in answers {
                let place = connects.address(of: target, question: question)
                let isBlocked = !addresses.contains(where: allowed.allows)
                guard let reach = isBlocked ? .blocked : place.flatMap({ reached[$0] })
                else { continue }
                readings.append(
                    AnswerDistance(
                        target: target,
                        question: question,
                        address: "\(place?.address ?? addresses[0])",
                        reach: reach
                    )
                )
            }
        }
        state.withLock { [readings] in $0.readings += readings }
    }

    /// Whether whoever is asked in a round is asked every name in it.
    private func isFull(_ round: Recording) -> Bool {
        let names = plan.questions.indices.filter { plan.series(ofQuestion: $0) == .cached }
        let asked = Set(round.samples.map(\.question))
        return round.rounds.first?.isWhole == true && !names.isEmpty
            && names.allSatisfy { asked.contains(Int32(clamping: $0)) }
    }
}

extension Recording {
    /// With what it took to connect to where the answers led.
    fileprivate func followed<Place>(
        _ connects: ConnectPlan<Place>,
        _ reached: [Place: Reach]
    ) -> Recording {
        var round = self
        let longest = Duration.milliseconds(ContentRound.longestConnection)
        for index in round.samples.indices {
            let (target, question) = (samples[index].target, samples[index].question)
            guard samples[index].observation.outcome == .answered,
                let place = connects.address(of: Int(target), question: Int(question)),
                let reach = reached[place]
            else { continue }
            let time: Duration = if case .connected(let time) = reach { time } else { longest }
            round.samples[index].observation.add(edge: min(time, longest).nanoseconds)
        }
        return round
    }
}

/// The addresses that each resolver gave for each name, by round.
private final class AnsweredAddresses: Sendable {
    private let rounds = Mutex<[Int: [Int: [Int: [IPAddress]]]]>([:])

    /// Beyond so many of one answer they are not told apart.
    private static let mostAddresses = 16

    func note(_ found: [[UInt8]], of probe: Probe) {
        guard probe.round >= 1 else { return }
        let addresses = found.prefix(Self.mostAddresses).compactMap { IPAddress(octets: $0) }
        rounds.withLock {
            $0[probe.round, default: [:]][probe.question, default: [:]][probe.target] = addresses
        }
    }

    /// Those of a round, by question and target, which are forgotten then.
    func take(inRound number: Int) -> [Int: [Int: [IPAddress]]] {
        rounds.withLock { $0.removeValue(forKey: number) ?? [:] }
    }
}
