import Analysis
import Samples
import Statistics

extension ComparisonReport {
    /// Strategies for programs, where they were asked for; `null` where nothing can be told.
    var strategyMembers: JSONValue {
        guard context.wantsStrategies else { return [:] }
        return ["strategies": strategies.map { $0.json(recording.targets.names) } ?? .null]
    }
}

extension StrategyEvidence {
    fileprivate func json(_ names: [String]) -> JSONValue {
        let names = members.map { names[$0] }
        return [
            "baseline": .string(names[0]),
            "slow_ms": .milliseconds(StrategyFigures.slow),
            "rounds": .integer(rounds),
            "lookups": .integer(lookups),
            "at_once": .bool(isAtOnce),
            "rows": .array(rows.map { $0.json(names) }),
        ]
    }
}

extension StrategyEvidence.Row {
    /// The row as JSON: what is not known of a race that was not seen is `null`, and its quantiles
    /// lie in brackets.
    fileprivate func json(_ names: [String]) -> JSONValue {
        let isKnown = bracket == nil
        let wins = figures.wins.sorted { $0.key < $1.key }
        let members: JSONValue = [
            "strategy": .string(strategy.kind),
            "resolvers": .array(strategy.members.map { .string(names[$0]) }),
            "after_ms": .milliseconds(strategy.wait),
            "rounds": .integer(figures.rounds),
            "lookups": .integer(figures.lookups),
            "median_ms": .milliseconds(isKnown ? figures.median.value : nil),
            "median_ci_ms": isKnown ? figures.median.json : .null,
            "p95_ms": .milliseconds(isKnown ? figures.p95.value : nil),
            "p95_ci_ms": isKnown ? figures.p95.json : .null,
            "slow_rate": .rate(isKnown ? figures.slowShare : nil),
            "failed_rate": .rate(isKnown ? figures.failedShare : nil),
            "lost_rate": .rate(isKnown ? figures.failedShare : nil),
            "queries_per_lookup": .number(figures.queries, least: 1, most: 9),
            "first_answers": isKnown
                ? .object(wins.map { .init(name: names[$0.key], value: .rate($0.value)) }) : .null,
        ]
        let range = bracket.map { bracket -> JSONValue in
            [
                "median_bracket_ms": bracket.median.json,
                "p95_bracket_ms": bracket.p95.json,
            ]
        }
        return members + (range ?? [:])
            + [
                "slow": slow?.json ?? .null, "failed": failed?.json ?? .null,
                "lost": failed?.json ?? .null,
            ]
    }
}

extension Strategy {
    fileprivate var kind: String {
        switch self {
        case .alone: "alone"
        case .race: "race"
        case .fallback(_, _, _, let listens): listens ? "hedge" : "failover"
        case .shares: "shares"
        case .winners: "winners"
        }
    }

    /// Milliseconds until the second is asked; `nil` where none is.
    fileprivate var wait: Double? {
        if case .fallback(_, _, let wait, _) = self { wait } else { nil }
    }
}

extension ClusteredQuantile {
    /// An open end, and one among those without an answer, is `null`.
    fileprivate var json: JSONValue { .array([.milliseconds(lower), .milliseconds(upper)]) }
}

extension ClosedRange<Double> {
    fileprivate var json: JSONValue {
        .array([.milliseconds(lowerBound), .milliseconds(upperBound)])
    }
}

extension StrategyComparison {
    fileprivate var json: JSONValue {
        [
            "saved": .number(saved, least: 1, most: 9),
            "saved_ci": .array([
                .number(interval.lowerBound, least: 1, most: 9),
                .number(interval.upperBound, least: 1, most: 9),
            ]),
            "confidence": .number(confidence, least: 2, most: 9),
            "log_e_above": .exact(logEAbove),
            "log_e_below": .exact(logEBelow),
            "verdict": .string(verdict.rawValue),
        ]
    }
}
