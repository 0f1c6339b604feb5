import Catalogue
import DNSWire
import Measurement
import Reports
import Samples
import Synchronization
import Transports

/// Measurements beside the timed queries and at no faster pace: the network's own round trips, the
/// instrument, and how far the answers lead.
struct Preflight {
    /// The addresses for ``distances()``; `nil` where these are not asked for.
    let answers: AnsweredAddresses?
    private let settings: Settings
    private let wanted: PreflightOptions

    init(_ settings: Settings, _ wanted: PreflightOptions) {
        self.settings = settings
        self.wanted = wanted
        answers = wanted.connect ? AnsweredAddresses(settings.plan) : nil
    }

    func before() async -> PreflightFindings {
        var findings = PreflightFindings()
        let reading = await InstrumentProbe().measure(allowed: settings.allowed)
        findings.instrument = reading.flatMap(InstrumentCheck.init)
        guard wanted.floor else { return findings }
        for (target, floor) in zip(settings.plan.targets, await floors()) {
            findings.floors[target] = floor
        }
        return findings
    }

    /// The floor of each target of the plan; `nil` where no port accepts a connection.
    private func floors() async -> [NetworkFloor?] {
        let places = settings.endpoints.map(Place.init)
        let distinct = places.uniqued
        let plan = settings.plan
        // Each gets at most its rate, and all together theirs.
        let step = Duration.seconds(1 / plan.totalRate)
        let gap = max(step * distinct.count, .seconds(1 / plan.rate))
        let clock = EventLoopClock()
        let start = clock.now
        let probes = distinct.enumerated().map { number, place in
            let probe = RTTProbe(of: place.endpoint, allowed: settings.allowed)
            let due = start.advanced(by: step * number)
            return Task { @EventLoopActor in
                try? await clock.sleep(until: due, tolerance: nil)
                return await probe.measure(gap: gap)
            }
        }
        var found: [Place: NetworkFloor] = [:]
        for (place, probe) in zip(distinct, probes) {
            found[place] = await probe.value.map(NetworkFloor.init)
        }
        return places.map { found[$0] }
    }

    /// The networks that answers may lead to: those of the lab are made up, and nobody else's
    /// business.
    private var reachable: AllowedNetworks {
        get throws {
            guard settings.lab != nil else { return settings.allowed }
            let loopback = try AllowedNetworks(parsing: "127.0.0.0/8,::1/128")
            return settings.allowed.narrowed(to: loopback)
        }
    }

    /// How far the addresses are that the resolvers answered; each is connected to once, whoever
    /// gave it. `nil` where that is not asked for.
    func distances() async throws -> AnswerDistances? {
        guard let answers else { return nil }
        let port = wanted.connectPort
        let reachable = try reachable
        let entries = answers.entries
        let distinct = entries.map(\.address).uniqued
        let step = Duration.seconds(1 / settings.plan.totalRate)
        let clock = EventLoopClock()
        let start = clock.now
        let probes = distinct.enumerated().map { number, address in
            let handshake = TCPHandshake(with: address, port: port, allowed: reachable)
            let due = start.advanced(by: step * number)
            return Task { @EventLoopActor in
                try? await clock.sleep(until: due, tolerance: nil)
                return await handshake.measure(timeout: .seconds(2))
            }
        }
        var reached: [IPAddress: AnswerDistance.Reach] = [:]
        for (address, probe) in zip(distinct, probes) {
            reached[address] = AnswerDistance.Reach(await probe.value)
        }
        let readings = entries.compactMap { entry in
            reached[entry.address].map {
                AnswerDistance(
                    target: entry.target,
                    question: entry.question,
                    address: "\(entry.address)",
                    reach: $0
                )
            }
        }
        return AnswerDistances(port: port, readings: readings)
    }
}

struct PreflightFindings {
    var instrument: InstrumentCheck?
    var floors: [Recording.Target: NetworkFloor] = [:]
    var distances: AnswerDistances?
    var candidates = CandidateTruth()
}

/// An address and port, for all transports and series.
private struct Place: Hashable, Sendable {
    let endpoint: Endpoint

    init(_ endpoint: Endpoint) {
        self.endpoint = Endpoint(transport: .tcp, address: endpoint.address, port: endpoint.port)
    }
}

extension InstrumentCheck {
    init?(_ reading: InstrumentProbe.Reading) {
        self.init(
            roundTrips: reading.roundTrips.map(\.wholeNanoseconds),
            clock: ClockSource(reading.clock),
            wakeLateness: reading.wakeLateness.map(\.wholeNanoseconds),
            clockStep: reading.clockStep?.wholeNanoseconds
        )
    }
}

extension NetworkFloor {
    init(_ reading: RTTProbe.Reading) {
        self.init(
            roundTrip: reading.roundTrip,
            port: reading.port,
            handshakes: reading.handshakes
        )
    }
}

extension AnswerDistance.Reach {
    /// `nil` where it was cancelled.
    init?(_ result: TCPHandshake.Result) {
        switch result {
        case .connected(let time): self = .connected(time)
        case .refused: self = .refused
        case .silent: self = .silent
        case .unreachable: self = .unreachable
        case .blocked: self = .blocked
        case .cancelled: return nil
        }
    }
}

/// The addresses that each resolver gave for each name, the first few.
final class AnsweredAddresses: Sendable {
    struct Entry: Hashable {
        var target: Int
        var question: Int
        var address: IPAddress
    }

    private struct Place: Hashable {
        var target: Int
        var question: Int
    }

    private let addresses = Mutex<[Place: [IPAddress]]>([:])
    private let plan: Plan

    /// So many of one resolver for one name, at most.
    private static let mostAddresses = 2

    init(_ plan: Plan) { self.plan = plan }

    func note(_ exchange: Exchange, of probe: Probe) {
        guard case .response(let response) = exchange.result, !response.addresses.isEmpty,
            plan.series(ofQuestion: probe.question) == .cached
        else { return }
        let place = Place(target: probe.target, question: probe.question)
        addresses.withLock { addresses in
            var known = addresses[place] ?? []
            for octets in response.addresses where known.count < Self.mostAddresses {
                if let address = IPAddress(octets: octets), !known.contains(address) {
                    known.append(address)
                }
            }
            addresses[place] = known
        }
    }

    /// All that was kept, in the order of resolvers and names.
    var entries: [Entry] {
        addresses.withLock { addresses in
            addresses.sorted {
                ($0.key.target, $0.key.question) < ($1.key.target, $1.key.question)
            }.flatMap { place, addresses in
                addresses.map {
                    Entry(target: place.target, question: place.question, address: $0)
                }
            }
        }
    }
}
