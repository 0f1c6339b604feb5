package import Samples
import Store

extension CentralHistory {
    /// One enrolled store of one place.
    package struct Place: Hashable, Sendable {
        package var source: Int
        /// The name of the vantage point at enrolment.
        package var vantage: String
        /// The time at which rounds arrived last; `nil` if no rounds have arrived.
        package var shipped: Timestamp?
        /// The time by which the place's clock was then ahead of the server's clock, in milliseconds.
        package var skew: Int64?
        package var rounds: Int
        /// The first hour, since 1970, whose sums have not arrived; `nil` if all have arrived.
        package var sumsFrom: Int64?
        /// The labels of the enrolment, such as `country` with `DE`.
        package var labels: [String: String]
        /// The names of vantage points in its rows, with the names that readers show.
        package fileprivate(set) var names: [String: String] = [:]
        /// The reason why its names cannot be read; `nil` if they can be read.
        fileprivate(set) var fault: String?

        package var isComplete: Bool { sumsFrom == nil }

        /// The name with the number, such as `berlin (place 3)`.
        package var name: String { "\(vantage)\(suffix)" }

        /// The number with the name, such as `place 3 (berlin)`.
        package var title: String { "place \(source) (\(vantage))" }

        /// The names in its rows that belong to another place, with the names that readers show.
        package var foreignNames: [(name: String, shown: String)] {
            names.filter { $0 != $1 }.map { (name: $0, shown: $1) }.sorted { $0.name < $1.name }
        }

        private var suffix: String { " (place \(source))" }

        /// The name that readers show for a vantage point in its rows.
        func shown(_ vantage: String) -> String {
            let name = vantage.cut(toBytes: VantageClaims.longestName)
            return names[name] ?? shown(name, isItsOwn: name == self.vantage)
        }

        fileprivate func shown(_ vantage: String, isItsOwn: Bool) -> String {
            guard !isItsOwn else { return vantage }
            let room = VantageClaims.longestName - suffix.utf8.count
            return vantage.cut(toBytes: max(0, room)) + suffix
        }
    }
}

/// The places that each name of a vantage point could mean.
///
/// A role can write any name into the rows of its place. A place keeps a name that is its own, or that no
/// other place uses. Readers add the number of the place to any other name. Its rounds are therefore never
/// mistaken for the rounds of another place.
private struct VantageClaims {
    static let longestName = 255

    private var enrolled: Set<String> = []
    /// The enrolled names of the places that have rows of a name.
    private var writers: [String: Set<String>] = [:]

    init(_ places: [CentralHistory.Place], names: [Int: [String]]) {
        for place in places {
            enrolled.insert(place.vantage)
            for name in names[place.source] ?? [] {
                writers[name, default: []].insert(place.vantage)
            }
        }
    }

    func shown(_ name: String, of place: CentralHistory.Place) -> String {
        let isFree =
            !enrolled.contains(name) && (writers[name]?.count ?? 0) < 2
            && !name.contains(" (place ")
        return place.shown(name, isItsOwn: name == place.vantage || isFree)
    }
}

extension CentralHistory {
    /// The maximum number of vantage points in a place. A store has many after a merge of several stores.
    private static let mostNames = 100_000
    /// The maximum length of a name in bytes. A longer name is an error. Readers cut names at 255 bytes.
    private static let longestName = 2_000

    /// The places that are enrolled, with the names of their vantage points.
    package static func places(_ central: CentralConnection) throws -> [Place] {
        var places = try enrolled(central)
        var (names, faults) = try (vantages(places, central), [Int: String]())
        for place in places {
            guard let own = names[place.source] else { continue }
            if own.count > mostNames {
                faults[place.source] = "it has more than \(mostNames) vantage points"
            } else if own.contains(nil) {
                faults[place.source] =
                    "the name of a vantage point has more than \(longestName) bytes"
            }
        }
        for source in faults.keys { names[source] = nil }
        let known = names.mapValues { $0.compactMap(\.self) }
        let claims = VantageClaims(places, names: known)
        for index in places.indices {
            places[index].fault = faults[places[index].source]
            for name in known[places[index].source] ?? [] {
                places[index].names[name] = claims.shown(name, of: places[index])
            }
        }
        return places
    }

    /// The names of the vantage points of each source; `nil` is a name that is too long.
    private static func vantages(
        _ places: [Place],
        _ central: CentralConnection
    ) throws -> [Int: [String?]] {
        let found = try central.query(
            """
            SELECT place.id, CASE WHEN octet_length(own.name) <= \(longestName) THEN own.name END
            FROM unnest($1) AS place (id), LATERAL (
                SELECT name FROM dnstempo.vantage WHERE source = place.id LIMIT \(mostNames + 1)
            ) AS own
            """,
            [CentralPlaceRows.sources(places)]
        )
        var names: [Int: [String?]] = [:]
        for row in 0..<found.count {
            guard let source = found.integer(row, 0) else { continue }
            names[Int(clamping: source), default: []]
                .append(found.text(row, 1).map { $0.cut(toBytes: VantageClaims.longestName) })
        }
        return names
    }

    private static func enrolled(_ central: CentralConnection) throws -> [Place] {
        let found = try central.query(
            """
            SELECT id, vantage, CASE WHEN isfinite(at)
                THEN (extract(epoch FROM at) * 1000)::int8 END, skew_ms, rounds, sums_from
            FROM dnstempo.source LEFT JOIN dnstempo.shipped ON shipped.source = source.id
            ORDER BY id
            """
        )
        let pairs = try central.query(
            "SELECT id::int8, key, value FROM dnstempo.source, jsonb_each_text(labels)"
        )
        var labels: [Int64: [String: String]] = [:]
        for row in 0..<pairs.count {
            guard let id = pairs.integer(row, 0), let key = pairs.text(row, 1) else { continue }
            labels[id, default: [:]][key] = pairs.text(row, 2)
        }
        return try (0..<found.count).map { row in
            guard let id = found.integer(row, 0), let vantage = found.text(row, 1) else {
                throw CentralError.strange(central.place)
            }
            return Place(
                source: Int(clamping: id),
                vantage: vantage.cut(toBytes: VantageClaims.longestName),
                shipped: found.integer(row, 2).map {
                    Timestamp(nanoseconds: Int64(clamping: Int128($0) * 1_000_000))
                },
                skew: found.integer(row, 3),
                rounds: Int(clamping: found.integer(row, 4) ?? 0),
                sumsFrom: found.integer(row, 5),
                labels: labels[id] ?? [:]
            )
        }
    }
}
