#if DEBUG || TESTABLE
import Samples
import Store

/// The samples of a round as a place packed them, with any content, read from a central store.
enum ShippedTarget {
    static func take(_ input: [UInt8]) {
        // The number of samples is also shipped separately, and must match the samples.
        let samples = Int64(input.count > 3 ? input[3] : 0)
        guard let mirror = try? StoreMirror(of: "x"), (try? fill(mirror, input, samples)) != nil
        else { return }
        _ = try? mirror.store.check()
        let read = (try? mirror.store.recording())?.samples ?? []
        if read.count > samples { accuse("more samples than were told") }
        for sample in read where (sample.observation.roundTrip ?? 0) < 0 {
            accuse("a negative time")
        }
    }

    private static func fill(_ mirror: StoreMirror, _ input: [UInt8], _ samples: Int64) throws {
        // One row per table, which refers to the rows of the other tables.
        for table in try Store.numberedTables() {
            try mirror.add([table.columns.map { one(of: $0.kind) }], to: table)
        }
        let table = try Store.roundTable()
        let row: StoredRow = table.columns.map { column in
            switch column.name {
            case "samples": .integer(samples)
            case "pruned", "marks": .integer(0)
            default: one(of: column.kind)
            }
        }
        try mirror.add(rounds: [row + [.blob(input)]])
    }

    private static func one(of kind: StoredTable.Kind) -> StoredValue {
        switch kind {
        case .integer: .integer(1)
        case .real: .real(1)
        case .text: .text("a")
        case .blob: .blob([1])
        }
    }
}
#endif
