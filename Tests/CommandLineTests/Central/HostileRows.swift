/// A row that the role of a hostile place could try to write into a central store.
struct HostileRow {
    let name: String
    /// The statement that writes the row. The place must have shipped rounds and sums.
    let sql: String
    /// Whether the constraints of a central store reject the row.
    let isRejected: Bool
}

/// Invalid rows of one place. A central store can contain such rows that are older than its constraints.
struct HostileRows {
    let source: Int

    /// All kinds of hostile rows of the place `source`.
    static func of(_ source: Int) -> [HostileRow] {
        let rows = HostileRows(source: source)
        return rows.forms + rows.samples + rows.rounds + rows.names + rows.runs + rows.sums
            + rows.sketches + rows.moments + rows.progress
    }

    /// A statement that removes the constraints. Afterwards, the owner can write rows that the constraints
    /// reject.
    static let withoutConstraints = """
        DO $$
        DECLARE one record;
        BEGIN
            FOR one IN
                SELECT conrelid::regclass AS place, conname FROM pg_constraint
                WHERE connamespace = 'dnstempo'::regnamespace AND NOT convalidated
            LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.place, one.conname);
            END LOOP;
        END $$
        """

    /// A copy of a row of the place in `table`, with other values. Each value is an SQL expression.
    func add(
        _ name: String,
        to table: String,
        _ values: [String: String],
        isRejected: Bool = true
    ) -> HostileRow {
        let pairs = values.sorted { $0.key < $1.key }.map { "'\($0.key)', \($0.value)" }
        let sql = """
            INSERT INTO dnstempo."\(table)" SELECT new.* FROM (
                SELECT own FROM dnstempo."\(table)" AS own WHERE source = \(source) LIMIT 1
            ) AS first, jsonb_populate_record(first.own, jsonb_build_object(
                \(pairs.joined(separator: ", "))
            )) AS new
            """
        return HostileRow(name: "\(table): \(name)", sql: sql, isRejected: isRejected)
    }

    /// Copies of a row of the place in a table with the column `id`. Each copy has another value in `column`.
    func add(to table: String, _ column: String, _ values: [String]) -> [HostileRow] {
        values.enumerated().map { index, value in
            add("\(column) \(value)", to: table, ["id": "\(900_001 + index)", column: value])
        }
    }

    /// Changes of the sums of the place's first hour. A place may change its sums.
    func change(_ table: String, _ changes: [String], isRejected: Bool = true) -> [HostileRow] {
        changes.map { change in
            let sql = """
                UPDATE dnstempo.\(table) SET \(change) WHERE source = \(source) AND hour = (
                    SELECT min(hour) FROM dnstempo.\(table) WHERE source = \(source)
                )
                """
            return HostileRow(name: "\(table): \(change)", sql: sql, isRejected: isRejected)
        }
    }

    static let most = "9223372036854775807"
    static let least = "-9223372036854775808"
    /// A text that needs 12 KB on disk, but 1 MB in memory.
    static let longText = "repeat('a', 1000000)"
}

/// Hostile rounds: invalid packing of samples, invalid samples, and invalid values in other columns.
extension HostileRows {
    private func round(
        _ name: String,
        _ values: [String: String],
        isRejected: Bool = true
    ) -> HostileRow {
        let values = ["id": "900001"].merging(values) { $1 }
        return add(name, to: "round", values, isRejected: isRejected)
    }

    private func packed(
        _ name: String,
        _ octets: [UInt8],
        samples: String = "1",
        isRejected: Bool = false
    ) -> HostileRow {
        let digits = octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let values = ["samples": samples, "data": "'\\x\(digits)'::bytea"]
        return round("samples \(name)", values, isRejected: isRejected)
    }

    /// The bytes of a number: seven bits per byte, the lowest bits first.
    private func number(_ number: UInt64) -> [UInt8] {
        number < 128 ? [UInt8(number)] : [UInt8(number & 127) | 128] + self.number(number >> 7)
    }

    /// The bytes of samples with these columns. Key 9 marks a sample with details and has no value. Keys from
    /// 10 on are columns of the details.
    private func octets(_ samples: [[Int: Int64]]) -> [UInt8] {
        var octets = [1, 9, 12] + number(UInt64(samples.count))
        var mask: UInt64 = 0
        for sample in samples {
            let present = sample.keys.reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
            octets += number(present ^ mask)
            mask = present
            for (column, value) in sample.sorted(by: { $0.key < $1.key }) where column != 9 {
                octets += number(UInt64(bitPattern: value << 1 ^ value >> 63))
            }
        }
        return octets
    }

    private static let usual: [Int: Int64] = [0: 1, 1: 0, 5: 0]

    private func sample(_ name: String, _ values: [Int: Int64]) -> HostileRow {
        packed(name, octets([Self.usual.merging(values) { $1 }]))
    }

    var forms: [HostileRow] {
        let usual = Array(octets([Self.usual]).dropFirst(4))
        let huge = [UInt8](repeating: 255, count: 9) + [1]
        return [
            packed("without a byte", [], isRejected: true),
            packed("with the form alone", [1], isRejected: true),
            packed("of an unknown form", [2, 9, 12, 1] + usual, isRejected: true),
            packed("without columns", [1, 0, 0, 1] + usual),
            packed("of 2^35 columns", [1] + number(1 << 35) + [12, 1] + usual),
            packed("of 2^40 details", [1, 9] + number(1 << 40) + [1] + usual),
            packed("whose number never ends", [1, 9, 12] + [UInt8](repeating: 255, count: 20)),
            packed(
                "with a number of 12 bytes",
                [1, 9, 12] + [UInt8](repeating: 128, count: 11) + [1] + usual
            ),
            packed(
                "that are more than the bytes",
                [1, 9, 12] + number(16_777_215) + usual,
                samples: "16777215",
                isRejected: true
            ),
            packed(
                "that are 2^40",
                [1, 9, 12] + number(1 << 40) + usual,
                samples: "1099511627776",
                isRejected: true
            ),
            packed("that are -1", [1, 9, 12] + huge + usual, samples: "-1", isRejected: true),
            packed("that are 2^31", [1, 9, 12] + number(1 << 31) + usual),
            packed("of another count than the row's", octets([Self.usual, Self.usual])),
            packed("in columns that do not exist", [1, 9, 12, 1] + huge + usual),
            packed("with a detail without its mark", octets([[0: 1, 1: 0, 5: 0, 12: 7]])),
            packed("with neither resolver nor outcome", octets([[:]]) + [0, 0, 0, 0]),
            packed("that are cut short", [1, 9, 12, 1] + usual.dropLast(2) + [128, 128]),
            packed("with bytes after the last", octets([Self.usual]) + [0, 0]),
            round(
                "a million samples of an byte each",
                [
                    "samples": "1000000",
                    "data": "'\\x01090cc0843d'::bytea || decode(repeat('00', 1000000), 'hex')",
                ]
            ),
            round(
                "50 MB for one sample",
                [
                    "samples": "1",
                    "data": "'\\x01090c01'::bytea || decode(repeat('00', 50000000), 'hex')",
                ]
            ),
        ]
    }

    var samples: [HostileRow] {
        [
            sample("due at the last moment", [1: .max]), sample("due at the first", [1: .min]),
            packed("due after the last moment", octets([[0: 1, 1: .max, 5: 0], Self.usual])),
            sample("sent at the last moment", [1: .max, 2: .max]),
            sample("sent at the first moment", [1: .min, 2: .min]),
            sample("as late as can be", [2: .max, 3: .max]),
            sample("as early as can be", [2: .min, 3: .min]),
            sample("with an outcome of -1", [5: -1]),
            sample("with an outcome of 2^62", [5: 1 << 62]),
            sample("of no resolver", [0: 999_999]), sample("of resolver -1", [0: -1]),
            sample("with a round trip of -2^63", [4: .min]),
            sample("with a TTL of -1", [6: -1, 7: -1, 8: .max]),
            sample("with sites that are not there", [9: 0, 13: 999_999, 14: -1, 16: 0]),
            sample("with a connection of 2^63 - 1", [9: 0, 15: .max]),
            sample("with a connection of -1", [9: 0, 15: -1]),
            sample("with hits of -1", [9: 0, 19: -1, 20: .max, 21: .min]),
            sample(
                "with times of -2^63",
                [9: 0, 10: .min, 11: .max, 12: .min, 17: .min, 18: .max]
            ),
        ]
    }

    var rounds: [HostileRow] {
        [
            round("ends before it begins", ["start": "1", "stop": "0"]),
            round(
                "lasts from the first to the last moment",
                ["start": Self.least, "stop": Self.most],
                isRejected: false
            ),
            round("begins at the first moment", ["start": Self.least], isRejected: false),
            round("ends at the last moment", ["stop": Self.most], isRejected: false),
            round("counts from the first moment", ["base": Self.least], isRejected: false),
            round("counts from the last moment", ["base": Self.most], isRejected: false),
            round("number 2^40", ["number": "1099511627776"]),
            round("number -2^63", ["number": Self.least]),
            round("marks -1", ["marks": "-1"]), round("marks 2^62", ["marks": "1::bigint << 62"]),
            round("whole 7", ["whole": "7"]), round("pruned 9", ["pruned": "9", "data": "NULL"]),
            round("pruned with samples", ["pruned": "1"]),
            round("without samples", ["data": "NULL"]),
            round("of no run", ["run": "999999"]), round("extended -1", ["extended": "-1"]),
            round("extended as often as can be", ["extended": Self.most], isRejected: false),
            round("samples -1", ["samples": "-1", "data": "NULL", "pruned": "1"]),
            round("samples 2^63 - 1", ["samples": Self.most, "data": "NULL", "pruned": "1"]),
            round("id -1", ["id": "-1"]),
        ]
    }
}

/// Hostile rows that other rows refer to.
extension HostileRows {
    var names: [HostileRow] {
        [
            add(
                "of another place",
                to: "vantage",
                ["id": "9", "name": "'home'"],
                isRejected: false
            ),
            add(
                "with an escape",
                to: "vantage",
                ["id": "9", "name": "E'\\x1b[31m'"],
                isRejected: false
            ),
            add("of 1 MB", to: "vantage", ["id": "9", "name": Self.longText]),
            HostileRow(
                name: "text: of 1 MB",
                sql: "INSERT INTO dnstempo.text VALUES (\(source), 900001, \(Self.longText))",
                isRejected: true
            ),
            add("of 1 MB", to: "endpoint", ["id": "900001", "address": Self.longText]),
            add(
                "of an unknown transport",
                to: "endpoint",
                ["id": "900001", "transport": "'x'"],
                isRejected: false
            ),
            add(
                "that is no name",
                to: "question",
                ["id": "900001", "name": "'a..b'"],
                isRejected: false
            ),
        ]
            + add(to: "target", "label", [Self.longText])
            + add(to: "target", "series", ["-1", "99999", Self.most])
            + add(to: "target", "endpoint", ["999999"])
            + add(to: "question", "type", ["-5", "1000000000000", Self.least])
            + add(to: "probe", "target", ["999999"]) + add(to: "probe", "question", ["-1"])
    }

    var runs: [HostileRow] {
        add(to: "run", "timeout", ["-1", Self.least])
            + add(to: "run", "origin", ["-1", "9999", Self.most])
            + add(to: "run", "vantage", ["999999"]) + add(to: "run", "interval", ["-1"])
            + add(to: "run", "margin", [Self.least]) + add(to: "run", "in_use", ["7"])
            + add(to: "run", "name", [Self.longText]) + add(to: "run", "schedule", [Self.longText])
            + add(to: "run", "baseline", [Self.longText])
            + add(to: "rollup_key", "type", ["-1", Self.most])
            + add(to: "rollup_key", "timeout", [Self.least])
            + add(to: "rollup_key", "origin", ["-1", "9999"])
            + add(to: "rollup_key", "vantage", ["999999"])
            + add(to: "rollup_key", "target", ["-1"])
            + [
                add(
                    "started at the first moment",
                    to: "run",
                    ["id": "900001", "started": Self.least],
                    isRejected: false
                )
            ]
    }
}
