import Catalogue
import Failures
import Measurement
import Processes
package import Samples
import Statistics
import Synchronization
import Transports

/// Connects to the servers in the answers of a run's rounds, in addition to its queries. Adds the
/// connection times to the samples.
package final class ContentConnects: Sendable {
    private typealias Pace = ConnectPace<EventLoopClock.Instant>

    /// The destination and the source of a connection to a server in an answer.
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
    /// The sources by the plan's index of targets.
    private let sources: [QuerySource?]
    /// The targets whose answers are followed, the baseline first.
    private let members: [Int]
    private let clock = EventLoopClock()

    private static let timeout = Duration.milliseconds(ContentRound.longestConnection)
    /// The maximum number of resolvers to follow. With more resolvers, a round has few names, and
    /// no answer is followed.
    static let mostResolvers = 20

    /// Continues after the `earlier` rounds of the run.
    package init(_ order: RunOrder, port: UInt16?, earlier: Recording?) throws {
        plan = order.plan
        sources = order.endpoints.map(\.source)
        self.port = port ?? 443
        // Answers of the lab contain invented addresses, whose owners must not receive connections.
        allowed =
            order.lab == nil ? order.allowed : order.allowed.narrowed(to: try .loopback)
        let targets = plan.targets
        let baseline = targets.baseline(order.baseline, in: .cached)
        members =
            [baseline].compactMap(\.self)
            + targets.indices.filter { targets[$0].series == .cached && $0 != baseline }
        guard !members.isEmpty else {
            throw Failure.usage(
                "--connect uses the answers of cached names, and this run queries none: leave it "
                    + "out"
            )
        }
        let followed = earlier?.samples.filter { $0.observation.extras?.edge != nil } ?? []
        state = Mutex(State(pace: Pace(after: Set(followed.map(\.round)).count)))
    }

    /// A note with the destinations and the frequency of connections.
    package var note: String {
        "connecting to TCP port \(port) of the addresses that the resolvers answer, at most 5 per "
            + "second and \(Pace.mostRounds) times to each"
            + (sources.uniqued.count > 1 ? " from each source" : "")
            + "; --no-connect leaves it out"
    }

    /// Whether no more rounds are followed.
    var isSpent: Bool { state.withLock(\.pace.isSpent) }

    /// The distances of the servers in the answers so far.
    var distances: AnswerDistances {
        AnswerDistances(port: port, readings: state.withLock(\.readings))
    }

    /// Adds the addresses in the answer to a query.
    func note(_ addresses: [[UInt8]], of probe: Probe) {
        if members.contains(probe.target) { answers.note(addresses, of: probe) }
    }

    /// Whether the next round must query every name, so that connections can follow it.
    func claim() -> Bool {
        state.withLock { $0.pace.claim(at: clock.now) }
    }

    /// Follows the answers of round `number` of the plan if this is due. Passes on the round with
    /// the connection times, and the targets whose answers were followed. Returns false if the
    /// round is not followed, for example because it is not `isWanted`.
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
                        with: Endpoint(
                            transport: .tcp,
                            address: $0.address,
                            port: port,
                            source: $0.source
                        ),
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

    /// The places of an answer that are allowed and reachable from the source of `target`.
    private func places(of addresses: [IPAddress], target: Int) -> [Place] {
        let source = sources[target]
        return addresses.filter { allowed.allows($0) && source?.reaches($0) ?? true }
            .map { Place(address: $0, source: source) }
    }

    /// Waits until all connections have ended. Cancelling the waiting task cancels them.
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

    /// Whether the round asks its targets every name.
    private func isFull(_ round: Recording) -> Bool {
        let names = plan.questions.indices.filter { plan.series(ofQuestion: $0) == .cached }
        let asked = Set(round.samples.map(\.question))
        return round.rounds.first?.isWhole == true && !names.isEmpty
            && names.allSatisfy { asked.contains(Int32(clamping: $0)) }
    }
}

extension Recording {
    /// The round with the times of the connections to the servers in the answers.
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

/// The addresses in each resolver's answer for each name, by round.
private final class AnsweredAddresses: Sendable {
    private let rounds = Mutex<[Int: [Int: [Int: [IPAddress]]]]>([:])

    /// The maximum number of addresses of one answer that are used.
    private static let mostAddresses = 16

    func note(_ found: [[UInt8]], of probe: Probe) {
        guard probe.round >= 1 else { return }
        let addresses = found.prefix(Self.mostAddresses).compactMap { IPAddress(bytes: $0) }
        rounds.withLock {
            $0[probe.round, default: [:]][probe.question, default: [:]][probe.target] = addresses
        }
    }

    /// Removes and returns the addresses of a round, by question and target.
    func take(inRound number: Int) -> [Int: [Int: [IPAddress]]] {
        rounds.withLock { $0.removeValue(forKey: number) ?? [:] }
    }
}
