import Samples

@testable import Reports

/// Example runs, one for each verdict and reason.
enum VerdictExample: String, CaseIterable {
    case switchFaster = "switch-faster"
    case switchOne = "switch-one"
    case switchNotInUse = "switch-not-in-use"
    case switchSilent = "switch-baseline-silent"
    case keepSlower = "keep-slower"
    case keepSame = "keep-within-margin"
    case keepSeveral = "keep-several"
    case keepReliability = "keep-reliability"
    case keepTampering = "keep-tampering"
    case tooClose = "too-close"
    case undecidedFew = "undecided-few-rounds"
    case undecidedBudget = "undecided-budget"
    case undecidedTail = "undecided-tail"
    case undecidedEdge = "undecided-edge"
    case undecidedConnecting = "undecided-connecting"
    case undecidedReliability = "undecided-reliability"
    case undecidedInterrupted = "undecided-interrupted"
    case series = "two-series"

    func fixture() throws -> Fixture {
        switch self {
        case .switchFaster: try several(candidates: [9, 9.1, 20.5, 9], lost: [0, 0, 0, 4])
        case .keepSeveral: try several(candidates: [21, 21.3, 30, 40], lost: [0, 0, 0, 0])
        case .switchOne: try withFacts(one(10))
        case .switchNotInUse:
            try changed(one(10)) { $0.context.isBaselineInUse = false }
        case .switchSilent: try one(10, baselineLost: 80)
        case .keepSlower: try one(31)
        case .keepSame: try one(21.5, rounds: 20)
        case .keepReliability: try one(10, lost: 30, rounds: 25)
        case .keepTampering:
            try changed(one(10)) {
                $0.context.tampering = ["meadow": "invents addresses for names that do not exist"]
            }
        case .tooClose: try one(16, rounds: 30)
        case .undecidedFew: try one(14, rounds: 3)
        case .undecidedBudget:
            try several(candidates: [10, 12, 14, 16], lost: [0, 0, 0, 0], rounds: 8)
        case .undecidedTail: try tail()
        case .undecidedEdge: try connected(one(10), rounds: 12)
        case .undecidedConnecting: try connected(one(10), rounds: 4)
        case .undecidedReliability: try one(10, lost: 3, rounds: 10)
        case .undecidedInterrupted:
            try changed(one(16, rounds: 8)) {
                $0.context.isInterrupted = true
                $0.context.plan.rounds = 100
            }
        case .series: try bothSeries()
        }
    }

    /// The resolver in use with latencies from 21 ms, and one candidate with latencies from `base`
    /// milliseconds.
    private func one(
        _ base: Double,
        lost: Int = 0,
        baselineLost: Int = 0,
        rounds: Int = 12
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "harbour"
        fixture.context.isBaselineInUse = true
        fixture.context.command = "dnstempo compare harbour meadow"
        fixture.context.chartCommand = "dnstempo compare harbour meadow -o charts.svg"
        fixture.add(
            "harbour",
            endpoint: "192.0.2.1:53",
            outcome: Fixture.noise(21, 3, seed: 1, lost: baselineLost)
        )
        fixture.add(
            "meadow",
            endpoint: "198.51.100.1:53",
            outcome: Fixture.noise(base, 3, seed: 2, lost: lost)
        )
        return fixture
    }

    private func several(candidates: [Double], lost: [Int], rounds: Int = 20) throws -> Fixture {
        var fixture = try one(candidates[0], rounds: rounds)
        fixture.context.command = "dnstempo compare"
        fixture.context.chartCommand = "dnstempo compare -o charts.svg"
        for (index, label) in ["brook", "stone", "cliff"].enumerated() {
            let base = candidates[index + 1]
            fixture.add(
                label,
                endpoint: "203.0.113.\(index + 1):53",
                outcome: Fixture.noise(base, 3, seed: UInt64(index) + 3, lost: lost[index + 1])
            )
        }
        return fixture
    }

    private func withFacts(_ fixture: Fixture) throws -> Fixture {
        try changed(fixture) { fixture in
            fixture.context.facts = [
                "harbour": ResolverFacts(
                    provider: "Harbour Telecom",
                    filtering: "malware",
                    dnssec: "no",
                    ecs: "no",
                    logging: "yes"
                ),
                "meadow": ResolverFacts(
                    provider: "Meadow Foundation",
                    filtering: "none",
                    dnssec: "yes",
                    ecs: "no",
                    logging: "no client addresses"
                ),
            ]
        }
    }

    private func changed(_ fixture: Fixture, _ change: (inout Fixture) -> Void) throws -> Fixture {
        var fixture = fixture
        change(&fixture)
        return fixture
    }

    /// A run in which one in twelve answers of the candidate takes 300 ms.
    private func tail() throws -> Fixture {
        var fixture = try one(21)
        for index in fixture.samples.indices where fixture.samples[index].target == 1 {
            let quick = fixture.samples[index].observation.roundTrip.map { $0 - 12_000_000 }
            fixture.samples[index].observation.roundTrip = index % 12 == 0 ? 300_000_000 : quick
        }
        return fixture
    }

    /// Adds connection times to the first `rounds` rounds. The addresses in one of three answers of the
    /// candidate take 60 ms longer.
    private func connected(_ fixture: Fixture, rounds: Int) throws -> Fixture {
        try changed(fixture) { fixture in
            for index in fixture.samples.indices {
                let sample = fixture.samples[index]
                guard sample.round < rounds else { continue }
                let isFar = sample.target == 1 && sample.question % 3 == 0
                fixture.samples[index].observation.add(edge: isFar ? 72_000_000 : 12_000_000)
            }
        }
    }

    private func bothSeries() throws -> Fixture {
        var fixture = try one(10)
        fixture.context.plan.series = [.cached, .uncached]
        fixture.add(
            "harbour",
            endpoint: "192.0.2.1:53",
            series: .uncached,
            outcome: Fixture.noise(60, 40, seed: 11)
        )
        fixture.add(
            "meadow",
            endpoint: "198.51.100.1:53",
            series: .uncached,
            outcome: Fixture.noise(140, 40, seed: 12)
        )
        return fixture
    }
}
