#if DEBUG || TESTABLE
import Samples
import Store

/// Rows with any content for all tables of a central store. The program rejects the rows before a
/// report begins, or its reports can read all of them.
enum CentralRowsTarget {
    static func take(_ input: [UInt8]) {
        var values = Values(rest: input[...])
        guard let mirror = try? StoreMirror(of: "x", vantageName: { "\($0) (place 2)" }),
            (try? fill(mirror, &values)) != nil, (try? mirror.validate()) != nil
        else { return }
        read(StoreGroup([mirror.store]))
        readDay(&values)
        _ = try? mirror.store.check()
        _ = try? mirror.store.check(sumsFrom: 0)
    }

    private static func fill(_ mirror: StoreMirror, _ values: inout Values) throws {
        for table in try Store.numberedTables() + Store.hourlyTables() {
            try mirror.add(values.rows(of: table.columns), to: table)
        }
        var columns = try Store.roundTable().columns
        columns.append(.init(name: "data", kind: .blob, isFilled: false))
        try mirror.add(rounds: values.rows(of: columns))
    }

    private static func read(_ group: StoreGroup) {
        let hour = Timestamp(hoursSinceEpoch: 490_000)
        for window in [Store.Window(includesMarked: true), .init(since: hour), .init(until: hour)] {
            do {
                _ = try group.moments(window)
                _ = try group.sites(window)
                _ = try group.causes(window)
                _ = try group.traces(window)
                for isExact in [false, true] {
                    var figures = HourlySum.Figures()
                    _ = try group.read(
                        window,
                        exact: isExact,
                        samples: { recording in
                            for sample in recording.samples
                            where (sample.observation.roundTrip ?? 0) < 0 {
                                accuse("a negative time")
                            }
                        },
                        rollup: { figures.merge($0.figures) }
                    )
                }
            } catch {
                accuse("rows that were taken cannot be read: \(error)")
            }
        }
    }

    private static func readDay(_ values: inout Values) {
        let day = try? StoredDay(
            hour: values.integer() ?? 0,
            samples: values.integer() ?? 0,
            rounds: values.octets() ?? [],
            vantages: [1: "a"]
        )
        _ = RoundMoment.joined(day?.intervals.map(\.moment) ?? [])
    }

    /// Reads values from the bytes. After the last byte it reads zeros.
    private struct Values {
        var rest: ArraySlice<UInt8>

        private mutating func octet() -> UInt8 { rest.popFirst() ?? 0 }

        mutating func integer() -> Int64? {
            switch octet() {
            case 250: nil
            case 251: .max
            case 252: .min
            case 253: -1
            case 254: (0..<8).reduce(0) { number, _ in number << 8 | Int64(octet()) }
            case 255: 490_000
            case let small: Int64(small)
            }
        }

        private mutating func real() -> Double? {
            switch octet() {
            case 250: nil
            case 251: .infinity
            case 252: -.infinity
            case 253: .nan
            case 254: Double(bitPattern: UInt64(bitPattern: integer() ?? 0))
            case let small: Double(small)
            }
        }

        mutating func octets() -> [UInt8]? {
            let count = octet()
            guard count < 255 else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }

        /// Returns up to seven rows. Their values are read column by column.
        mutating func rows(of columns: [StoredTable.Column]) -> [StoredRow] {
            var rows = [StoredRow](repeating: [], count: Int(octet() & 7))
            for column in columns {
                for row in rows.indices { rows[row].append(value(of: column.kind)) }
            }
            return rows
        }

        private mutating func value(of kind: StoredTable.Kind) -> StoredValue {
            switch kind {
            case .integer: StoredValue(integer())
            case .real: StoredValue(real())
            case .text: StoredValue(octets().map { String(decoding: $0, as: UTF8.self) })
            case .blob: StoredValue(octets())
            }
        }
    }
}
#endif
