import Foundation

@testable import Statistics

/// The contents of Reference/incidents-shares.json: the reference's results for small cases.
struct IncidentGolden: Decodable {
    /// A row with four decimals.
    struct Rounded: Decodable {
        let kind: Incident.Kind
        let start: Int
        let end: Int?
        let established: Int
        let size: Double
        let before: Double
        let ci: [Double]
    }

    struct Row: Decodable {
        let resolver: Int?
        let kind: Incident.Kind
        let start: Int
        let within: [Int]
        let end: Int?
        let established: Int
        let size: Double
        let before: Double
        let interval: [Double]
        let rate: Double?

        var incident: Incident {
            Incident(
                kind: kind,
                start: start,
                within: within[0]...within[1],
                end: end,
                established: established,
                size: size,
                before: before,
                interval: interval[0]...interval[1],
                rate: rate
            )
        }
    }

    struct Shares: Decodable {
        let lost: Int
        let rounded: [Rounded]
        let rows: [Row]
    }

    struct Outages: Decodable {
        struct Row: Decodable {
            let who: Scope
            let start: Int64
            let end: Int64?
            let rounds: Int
            let queries: Int
            let parts: [[Int64?]]
        }

        struct Scope: Decodable {
            let scope: Outage.Scope

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                scope = (try? container.decode(Int.self)).map { .resolver($0) } ?? .line
            }
        }

        let rows: [Row]
        /// Of the line, and of each resolver.
        let answered: [Double]
    }

    struct Group: Decodable {
        let kind: Incident.Kind
        let scope: IncidentScope
        let who: [Int]
        let start: Int
        let end: Int?
        let size: Double
    }

    struct Scatter: Decodable {
        let count: Int
        let value: Double
    }

    /// The first hour of the cases. The hours of rows count from it.
    let t0: Int
    let shares: [String: Shares]
    let outages: Outages
    /// The incidents that ``groups`` consists of.
    let members: [Row]
    let groups: [Group]
    let scatter: [Scatter]
    /// The parts and wholes of two rates, and the ln of the likelihood ratio.
    let ratio: [[Double]]

    static func read() throws -> IncidentGolden {
        let data = try Data(
            contentsOf: ReferenceGolden.folder.appending(path: "incidents-shares.json")
        )
        return try JSONDecoder().decode(IncidentGolden.self, from: data)
    }

    /// The lines of a table in the folder Reference.
    static func lines(_ name: String) throws -> [[String]] {
        let file = ReferenceGolden.folder.appending(path: name)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "\t").map(String.init) }
    }
}

extension Incident.Kind: Decodable {}
extension IncidentScope: Decodable {}

extension Incident {
    /// The same incident with hours from `first` on.
    func since(_ first: Int) -> Incident {
        var moved = self
        moved.start -= first
        moved.within = (within.lowerBound - first)...(within.upperBound - first)
        moved.end = end.map { $0 - first }
        moved.established -= first
        return moved
    }

    /// Whether all hours are equal, and all figures equal within `tolerance`.
    func equals(_ other: Incident, within tolerance: Double) -> Bool {
        let figures = [
            (size, other.size), (before, other.before),
            (interval.lowerBound, other.interval.lowerBound),
            (interval.upperBound, other.interval.upperBound),
        ]
        return kind == other.kind && start == other.start && within == other.within
            && end == other.end && established == other.established
            && figures.allSatisfy { agree($0, $1, within: tolerance) }
            && agree(rate, other.rate, within: tolerance)
    }
}
