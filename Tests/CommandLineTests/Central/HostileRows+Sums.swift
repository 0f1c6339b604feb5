import Foundation

/// Hostile rows of hourly, daily and monthly sums, of causes and traces, and of a place's shipping state.
extension HostileRows {
    var sums: [HostileRow] {
        change("rollup", ["sum = 5e-324", "answered = 0, sum = 1"], isRejected: false)
            + change(
                "rollup",
                [
                    "failures = 'x'", "failures = 'REFUSED'", "failures = 'REFUSED many'",
                    "failures = 'REFUSED -1'", "failures = 'REFUSED 99999999999999999999'",
                    "failures = '1 1 1'", "failures = ''", "failures = ' '",
                    "failures = \(Self.longText)", "failures = repeat('A 1 ', 300000) || 'A 1'",
                    "sum = 'NaN'", "sum = 'Infinity'", "sum = 1.7e308",
                    "squares = 'NaN'", "squares = '-Infinity'", "difference_sum = 'Infinity'",
                    "minimum = 'NaN'", "maximum = 'Infinity'", "minimum = -1e308",
                    "answered = -1", "answered = \(Self.most)", "timeouts = \(Self.most)",
                    "timeouts = \(Self.most), malformed = \(Self.most)",
                    "unreachable = \(Self.least)", "wrong = \(Self.most)", "wrong = -1",
                    "filtered = -1", "offline = \(Self.least)", "blocked = 1099511627776",
                    "differences = -1", "rounds = -1", "unanswered = -1",
                    "rounds = \(Self.most)", "unanswered = rounds + 1",
                    "rounds = 0, unanswered = 0", "rounds = NULL", "unanswered = NULL",
                ]
            )
            + ["new = -1", "unverified = \(Self.most)", "early = -1"].map { connection($0) }
            + [
                beside("warmup", "hits = -1", ["hits": "-1", "misses": "1"]),
                beside("warmup", "misses = 2^63 - 1", ["hits": "1", "misses": Self.most]),
                beside("warmup", "without its hour", ["hour": "17", "hits": "1", "misses": "1"]),
            ]
            + [
                add("hour 2^63 - 1", to: "rollup", ["hour": Self.most]),
                add("hour -2^63", to: "rollup", ["hour": Self.least]),
                add("key that is not there", to: "rollup", ["key": "999999"]),
                add("amid a day", to: "rollup_day", ["hour": "17"]),
                add("key that is not there", to: "rollup_month", ["key": "999999"]),
                add("amid a day", to: "day", ["hour": "17"]),
                add("samples -1", to: "day", ["hour": "24", "samples": "-1"]),
                add(
                    "of other bytes",
                    to: "day",
                    ["hour": "24", "rounds": "'\\xffff'::bytea"],
                    isRejected: false
                ),
                add(
                    "of 10 MB",
                    to: "day",
                    ["hour": "24", "rounds": "decode(repeat('00', 10000000), 'hex')"]
                ),
            ]
    }

    /// A new row of a table that has one row per hourly sum.
    private func beside(
        _ table: String,
        _ name: String,
        _ values: [String: String],
        isRejected: Bool = true
    ) -> HostileRow {
        let all = ["source": "source", "hour": "hour", "key": "key", "checksum": "1"]
            .merging(values) { $1 }.sorted { $0.key < $1.key }
        let sql = """
            INSERT INTO dnstempo.\(table) (\(all.map(\.key).joined(separator: ", ")))
            SELECT \(all.map(\.value).joined(separator: ", ")) FROM dnstempo.rollup
            WHERE source = \(source) ORDER BY rollup.hour, key LIMIT 1
            """
        return HostileRow(name: "\(table): \(name)", sql: sql, isRejected: isRejected)
    }

    private func connection(_ change: String, isRejected: Bool = true) -> HostileRow {
        let parts = change.components(separatedBy: " = ")
        var values = ["new", "reused", "resumed", "early", "unverified"]
            .reduce(into: [String: String]()) { $0[$1] = "1" }
        for column in ["connect", "handshake", "query", "whole"] { values[column] = "'\\x01'" }
        values[parts[0]] = parts[1]
        return beside("connection", change, values, isRejected: isRejected)
    }

    var sketches: [HostileRow] {
        let bad = [
            "''", "'\\x02'", "'\\x01ff'", "'\\x01ffffffffffffffffff0101'",
            "'\\x01ffffffffffffffffff7f01'", "'\\x010a00ffffffffffffffffff0101'", "'\\x010a00'",
            "'\\x010a' || decode(repeat('ffffffffffffffffff01', 100), 'hex')",
            "'\\x01c40d' || decode(repeat('01', 4000), 'hex')",
        ]
        return change("rollup", ["sketch = ''", "sketch = '\\x02'"])
            + change("rollup", bad.dropFirst(2).map { "sketch = \($0)" }, isRejected: false)
            + change("rollup", ["sketch = decode(repeat('01', 2000000), 'hex')"])
            + [
                connection("handshake = ''"), connection("connect = '\\x02'"),
                connection("hour = 17"), connection("query = '\\x01ff'", isRejected: false),
            ]
    }

    var moments: [HostileRow] {
        let cause: [String: String] = [
            "source": "\(source)", "vantage": "1", "target": "1", "kind": "'slower'", "hour": "17",
            "word": "'line'", "evidence": "1", "hours": "1", "won": "1", "checksum": "1",
        ]
        let trace: [String: String] = [
            "source": "\(source)", "vantage": "1", "target": "1", "time": "1", "run": "'x'",
            "number": "1", "kind": "'slow'", "since": "1", "ending": "'reached'", "hops": "'*'",
            "checksum": "1",
        ]
        func row(_ table: String, _ usual: [String: String], _ column: String, _ value: String)
            -> HostileRow
        {
            let all = usual.merging([column: value]) { $1 }.sorted { $0.key < $1.key }
            let sql = """
                INSERT INTO dnstempo.\(table) (\(all.map(\.key).joined(separator: ", ")))
                VALUES (\(all.map(\.value).joined(separator: ", ")))
                """
            return HostileRow(
                name: "\(table): \(column) \(value)",
                sql: sql,
                isRejected: value != "'x'" && column != "time"
            )
        }
        return [
            ("kind", "'x'"), ("word", "'x'"), ("word", Self.longText), ("share", "'NaN'"),
            ("evidence", "'Infinity'"), ("total", "'-Infinity'"), ("hours", "-1"),
            ("won", Self.most), ("hour", Self.most), ("target", "999999"), ("vantage", "-1"),
        ].map { row("cause", cause, $0, $1) }
            + [
                ("ending", "'x'"), ("hops", "'x'"), ("hops", Self.longText), ("time", Self.most),
                ("handshake", "-1"), ("number", Self.least), ("site", Self.longText),
                ("target", "999999"),
            ].map { row("trace", trace, $0, $1) }
    }

    var progress: [HostileRow] {
        [
            "rounds = -1", "longest = \(Self.least)", "first = \(Self.most), last = \(Self.least)",
            "identity = decode(repeat('00', 1000000), 'hex')", "run = \(Self.longText)",
            "round = -1",
        ].map {
            HostileRow(
                name: "shipped: \($0)",
                sql: "UPDATE dnstempo.shipped SET \($0) WHERE source = \(source)",
                isRejected: true
            )
        }
            + [
                "at = 'infinity'", "at = '294000-01-01'", "skew_ms = \(Self.most)",
                "sums_from = \(Self.least)", "longest = \(Self.most)", "pruned = \(Self.most)",
                "rounds = \(Self.most)", "number = \(Self.least)",
            ].map {
                HostileRow(
                    name: "shipped: \($0)",
                    sql: "UPDATE dnstempo.shipped SET \($0) WHERE source = \(source)",
                    isRejected: false
                )
            }
    }
}
