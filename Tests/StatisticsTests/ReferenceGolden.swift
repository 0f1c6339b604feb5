import Foundation
import Statistics

/// The contents of Reference/golden.json: the reference's results for small cases.
struct ReferenceGolden: Decodable {
    struct Shares: Decodable {
        let name: String
        let U: [Double]
        let logEplus: Double
        let logEminus: Double
    }

    struct Proportion: Decodable {
        let successes: Int
        let count: Int
        let alpha: Double
        let wilson: [Double]
        let anytime: [Double]
    }

    struct Ranks: Decodable {
        let count: Int
        let quantile: Double
        let ranks: [Int]
    }

    struct Holm: Decodable {
        let logPValues: [Double]
        let rejected: [Bool]
    }

    struct Autocorrelated: Decodable {
        let values: [Double]
        let coefficient: Double
    }

    struct Plan: Decodable {
        struct Case: Decodable {
            let difference: Double
            let margin: Double
            let candidates: Int
            /// The result for one sequence of rounds.
            let round: Int?
            /// The result for all drawn sequences.
            let rounds: Int?

            var rules: ComparisonRules { ComparisonRules(margin: margin) }
        }

        let hours: [[[Double]]]
        let centred: [[Double]]
        let crossings: [Case]
        let longer: [[[Double]]]
        let forecasts: [Case]
    }

    struct Scenario: Decodable {
        let name: String
        let margin: Double
        let tampering: Set<Int>
        let interrupted: Bool
        let candidates: [[Run]]
        let results: [Result]
    }

    /// Rounds with the same pairs, `times` times.
    struct Run: Decodable {
        let times: Int
        let pairs: [Pair]
    }

    struct Pair: Decodable {
        let difference: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let word = try? container.decode(String.self) else {
                difference = try container.decode(Double.self)
                return
            }
            difference =
                switch word {
                case "baseline": .infinity
                case "candidate": -.infinity
                case "both": .nan
                default:
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: word)
                }
        }
    }

    struct Result: Decodable {
        let rounds: Int
        let pairs: Int
        let medianDifference: Double?
        let meanDifference: Double?
        let lower: Double?
        let upper: Double?
        let confidence: Double
        let logEFaster: Double
        let logESlower: Double
        let probabilityFaster: Double?
        let baselineFailures: Int
        let candidateFailures: Int
        let verdict: String
        let reason: String

        var figures: [String: Double?] {
            [
                "rounds": Double(rounds), "pairs": Double(pairs),
                "medianDifference": medianDifference, "meanDifference": meanDifference,
                "lower": lower, "upper": upper, "confidence": confidence,
                "logEFaster": logEFaster, "logESlower": logESlower,
                "probabilityFaster": probabilityFaster,
                "baselineFailures": Double(baselineFailures),
                "candidateFailures": Double(candidateFailures),
            ]
        }
    }

    let shares: [Shares]
    let proportions: [Proportion]
    let ranks: [Ranks]
    let holm: [Holm]
    let autocorrelation: [Autocorrelated]
    let plan: Plan
    let comparisons: [Scenario]

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Reference")

    static func read() throws -> ReferenceGolden {
        let data = try Data(contentsOf: folder.appending(path: "golden.json"))
        return try JSONDecoder().decode(ReferenceGolden.self, from: data)
    }
}

extension Comparison {
    /// The figures of the comparison, by their names in the reference.
    var figures: [String: Double?] {
        [
            "rounds": Double(rounds), "pairs": Double(pairs),
            "medianDifference": medianDifference, "meanDifference": meanDifference,
            "lower": interval.lower, "upper": interval.upper, "confidence": confidence,
            "logEFaster": logEFaster, "logESlower": logESlower,
            "probabilityFaster": probabilityFaster,
            "baselineFailures": Double(baselineFailures.failures),
            "candidateFailures": Double(candidateFailures.failures),
        ]
    }
}

/// Returns whether two figures are both absent, or differ by at most `tolerance`. The tolerance is relative
/// for figures above 1.
func agree(_ left: Double?, _ right: Double?, within tolerance: Double) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= tolerance * max(1, abs(right))
}
