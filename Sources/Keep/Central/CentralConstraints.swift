import Samples
import Store

/// The constraints of a central store's tables. They reject rows that no store ships. Therefore a place
/// cannot stop readers, and its rows take at most as much memory of a reader as disk space of the server.
///
/// The bounds are those of ``StoreLimits``. Rows that are older than a constraint remain (NOT VALID).
enum CentralConstraints {
    /// A column, or several joined as in `start_stop`, with an SQL condition.
    typealias Limit = (name: String, condition: String)

    /// The limits of the columns in which a place reports its shipping.
    static let ofProgress: [Limit] = [
        ("identity", "octet_length(identity) <= 64"), ("run", text("run")), ("round", "round >= 0"),
        ("rounds", "rounds >= 0"), ("longest", "longest >= 0"), ("first_last", "first <= last"),
    ]

    static func steps(for table: StoredTable) throws -> [CentralStep] {
        let limits = try table.columns.compactMap { try limit(of: $0, in: table) }
        let base = table.base
        let ofRows = ["round": ofRounds, "day": ofDays, "rollup": ofSums]
        let all = limits + (ofRows[base.name] ?? [])
        var references = table.columns.compactMap { column in
            table.references[column.name].map { other in
                (
                    "\(column.name)",
                    "(source, \"\(column.name)\") REFERENCES dnstempo.\"\(other)\" (source, id)"
                )
            }
        }
        // Rows of both tables belong to an hourly sum, as in a store.
        if ["connection", "warmup"].contains(base.name) {
            let sums = "rollup" + table.name.dropFirst(base.name.count)
            let key = "(source, hour, key)"
            references.append(("sum", "\(key) REFERENCES dnstempo.\"\(sums)\" \(key)"))
        }
        return steps(for: table.name, all, references)
    }

    static func steps(
        for table: String,
        _ limits: [Limit],
        _ references: [(name: String, key: String)] = []
    ) -> [CentralStep] {
        let place = CentralTables.number(of: table)
        let constraints =
            limits.map { (name: "limit_\($0.name)", text: "CHECK (\($0.condition))") }
            + references.map { (name: "known_\($0.name)", text: "FOREIGN KEY \($0.key)") }
        let added = constraints.map { "ADD CONSTRAINT \"\($0.name)\" \($0.text) NOT VALID" }
            .joined(separator: ", ")
        let names = constraints.map { "'\($0.name)'" }.joined(separator: ", ")
        let statements = [
            """
            DO $$
            DECLARE one record;
            BEGIN
                FOR one IN
                    SELECT conname FROM pg_constraint
                    WHERE conrelid = \(place) AND conname ~ '^(limit|known)_'
                LOOP
                    EXECUTE format('ALTER TABLE dnstempo.%I DROP CONSTRAINT %I', '\(table)', one.conname);
                END LOOP;
            END $$
            """, "ALTER TABLE dnstempo.\"\(table)\" \(added)",
        ]
        let version = CentralStep.version(of: statements)
        return [
            CentralStep(
                unless: """
                    \(CentralStep.has(version, at: place, in: "pg_class")) AND (
                        SELECT count(*) FROM pg_constraint
                        WHERE conrelid = \(place) AND conname IN (\(names))
                    ) = \(constraints.count)
                    """,
                statements + ["COMMENT ON TABLE dnstempo.\"\(table)\" IS '\(version)'"]
            ),
            uncompressed(table),
        ]
    }

    /// Stores texts uncompressed. A text that is short only by compression would be long at each reader.
    private static func uncompressed(_ table: String) -> CentralStep {
        let place = CentralTables.number(of: table)
        return CentralStep(
            unless: """
                \(place) IS NOT NULL AND NOT EXISTS (
                    SELECT FROM pg_attribute WHERE attrelid = \(place) AND attnum > 0
                        AND NOT attisdropped AND attstorage NOT IN ('p', 'e')
                )
                """,
            [
                """
                DO $$
                DECLARE one record;
                BEGIN
                    FOR one IN
                        SELECT attname FROM pg_attribute WHERE attrelid = \(place) AND attnum > 0
                            AND NOT attisdropped AND attstorage NOT IN ('p', 'e')
                    LOOP
                        EXECUTE format(
                            'ALTER TABLE dnstempo.%I ALTER COLUMN %I SET STORAGE EXTERNAL',
                            '\(table)', one.attname
                        );
                    END LOOP;
                END $$
                """
            ]
        )
    }

    private static func text(_ column: String, _ most: Int = StoreLimits.longestText) -> String {
        "octet_length(\"\(column)\") <= \(most)"
    }

    private static func between(_ column: String, _ range: ClosedRange<Int64>) -> String {
        "\"\(column)\" BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    }

    private static let byte = 0...Int64(UInt8.max)
    private static let counts = 0...StoreLimits.mostCounted
    private static let flag = 0...Int64(1)
    private static let long = 0...Int64.max

    /// The ranges of integer columns, by table and column. Hours, ids and counts have their limits in
    /// ``limit(of:in:)``. Other integer columns have no limit.
    private static let ranges: [String: ClosedRange<Int64>] = [
        "target.series": byte, "question.type": 0...Int64(UInt16.max),
        "run.timeout": 0...Observation.longestTime, "run.origin": byte, "run.interval": long,
        "run.margin": long, "run.in_use": flag,
        "rollup_key.type": 0...Int64(UInt16.max), "rollup_key.origin": byte,
        "rollup_key.timeout": 0...Observation.longestTime,
        "round.number": Int64(Int32.min)...Int64(Int32.max), "round.samples": counts,
        "round.marks": byte, "round.whole": flag, "round.pruned": flag, "round.extended": long,
        "cause.hours": counts, "cause.won": counts,
        "trace.number": Int64(Int32.min)...Int64(Int32.max), "trace.handshake": long,
        "day.samples": 0...Int64.max,
    ]

    private static func limit(
        of column: StoredTable.Column,
        in table: StoredTable
    ) throws -> Limit? {
        let (name, place) = (column.name, "\(table.base.name).\(column.name)")
        switch (column.kind, name) {
        case (.integer, "hour"):
            let isDay = table.name != table.base.name || table.name == "day"
            return (name, between(name, StoreLimits.hours) + (isDay ? " AND hour % 24 = 0" : ""))
        case (.integer, "id"): return (name, "id > 0")
        case (.integer, "key"), (.integer, "checksum"): return nil
        case (.integer, _):
            if let range = ranges[place] { return (name, between(name, range)) }
            let areCounts = ["rollup", "connection", "warmup"].contains(table.base.name)
            return areCounts ? (name, between(name, counts)) : nil
        // Excludes infinities and NaN. PostgreSQL sorts NaN above all numbers.
        case (.real, _): return (name, "\"\(name)\" BETWEEN -1e100 AND 1e100")
        case (.text, "failures"): return (name, failures)
        case (.text, "hops"): return (name, text(name, StoreLimits.longestHops))
        case (.text, _): return (name, text(name))
        case (.blob, _):
            guard table.base.name != "round", table.base.name != "day" else { return nil }
            return (
                name,
                "octet_length(\"\(name)\") BETWEEN 1 AND \(StoreLimits.longestSketch) "
                    + "AND get_byte(\"\(name)\", 0) = 1"
            )
        }
    }

    /// The condition for the column of response codes and their counts.
    static let failures = """
        octet_length(failures) <= \(StoreLimits.longestFailures)
        AND failures ~ '^[!-~]+ [0-9]{1,10}( [!-~]+ [0-9]{1,10})*$'
        """

    /// The limits of a round's times and of its packed samples.
    private static var ofRounds: [Limit] {
        let (own, details) = Store.packedColumns
        let least = StoreLimits.leastPacked
        let most = StoreLimits.mostPacked(columns: own.count + details.count)
        return [
            ("start_stop", "start <= stop"),
            ("data_pruned", "(data IS NULL) = (pruned <> 0)"),
            (
                "data",
                """
                data IS NULL OR samples <= \(StoreLimits.mostSamples)
                    AND octet_length(data) BETWEEN \(least.round) + \(least.sample) * samples
                        AND \(most.round) + \(most.sample) * samples
                    AND get_byte(data, 0) = 1
                """
            ),
        ]
    }

    /// The limits of the rounds in a sum.
    private static let ofSums: [Limit] = [
        (
            "rounds_unanswered",
            "(rounds IS NULL) = (unanswered IS NULL) AND (rounds IS NULL OR rounds > 0 "
                + "AND unanswered <= rounds)"
        )
    ]

    private static let ofDays: [Limit] = [
        (
            "rounds",
            """
            octet_length(rounds) <= \(StoreLimits.longestDay)
                AND octet_length(rounds) / \(StoreLimits.mostOfRound) <= samples
            """
        )
    ]
}

extension StoredTable {
    /// The hourly table of which this table contains the sums per day or month; otherwise this table.
    fileprivate var base: StoredTable {
        var base = self
        for span in SumSpan.allCases where name.hasSuffix("_\(span.rawValue)") {
            base.name.removeLast(span.rawValue.count + 1)
        }
        return base
    }
}
