/// Completes rows with values that all results of their measurement share.
///
/// A query without an answer often does not repeat its name. A result of a query that was never sent may lack
/// the resolver. Such a row waits until the end of the file, so that the order of the results makes no
/// difference. If the other results differ in their name, the row gets the name ``AtlasRemarks/unknownName``.
struct AtlasMeasurements {
    /// A value that several results of a measurement may contain.
    private enum Shared {
        case untold, several
        case one([UInt8])

        /// The value, if it is the same in all results.
        var value: [UInt8]? {
            guard case .one(let value) = self else { return nil }
            return value
        }

        mutating func note(_ cell: ArraySlice<UInt8>?) {
            guard let cell else { return }
            switch self {
            case .untold: self = .one(Array(cell))
            case .one(let value):
                guard !value.elementsEqual(cell) else { return }
                // Some resolvers change the case of a name.
                let texts = [value[...], cell].map { String(decoding: $0, as: UTF8.self) }
                if Set(texts.map { $0.lowercased() }).count > 1 { self = .several }
            case .several: break
            }
        }
    }

    private struct Measurement {
        var shared: [SampleColumn: Shared] = [:]

        mutating func note(_ row: SampleCells) {
            for column in [SampleColumn.name, .type, .resolver, .endpoint] {
                shared[column, default: .untold].note(row[column])
            }
        }

        /// Whether later results cannot add to the row.
        func isSettled(_ row: SampleCells) -> Bool {
            guard row[.resolver] != nil else { return false }
            if row[.name] != nil { return true }
            guard case .several? = shared[.name] else { return false }
            return true
        }

        func complete(_ row: SampleCells) -> SampleCells {
            var row = row
            let missing: [SampleColumn] = row[.resolver] == nil ? [.resolver, .endpoint] : []
            for column in missing + [.name, .type] {
                row.fill(column, with: shared[column]?.value)
            }
            row.fill(.name, with: Array(AtlasRemarks.unknownName.utf8))
            return row
        }
    }

    /// The number of returned rows with an unknown name.
    private(set) var unnamed = 0
    private var measurements: [Int64: Measurement] = [:]
    private var waiting: [(measurement: Int64, rows: [SampleCells])] = []
    private var waitingRows = 0
    private var waitingBytes = 0

    private static let mostWaiting = (rows: 50_000, bytes: 16 << 20)
    private static let mostMeasurements = 100_000

    /// Adds the rows of a result. Returns the rows of this result if they are complete. If one row waits, all
    /// rows of the result wait. Otherwise a part of a round may look like a round without answers.
    mutating func take(_ rows: [SampleCells], of id: Int64?) -> [SampleCells] {
        guard let id, measurements[id] != nil || measurements.count < Self.mostMeasurements else {
            return complete(rows, as: Measurement())
        }
        var measurement = measurements[id] ?? Measurement()
        for row in rows { measurement.note(row) }
        measurements[id] = measurement
        let data = rows.reduce(0) { $0 + $1.bytes.count }
        let hasRoom =
            waitingRows + rows.count <= Self.mostWaiting.rows
            && waitingBytes + data <= Self.mostWaiting.bytes
        guard hasRoom, !rows.allSatisfy(measurement.isSettled) else {
            return complete(rows, as: measurement)
        }
        waiting.append((id, rows))
        waitingRows += rows.count
        waitingBytes += data
        return []
    }

    /// The rows that waited, in the order of the file.
    mutating func rest() -> [SampleCells] {
        let results = waiting
        waiting = []
        (waitingRows, waitingBytes) = (0, 0)
        return results.flatMap { id, rows in
            complete(rows, as: measurements[id] ?? Measurement())
        }
    }

    private mutating func complete(
        _ rows: [SampleCells],
        as measurement: Measurement
    ) -> [SampleCells] {
        rows.map { row in
            guard row[.name] == nil || row[.resolver] == nil else { return row }
            let whole = measurement.complete(row)
            let isUnnamed = row[.name] == nil && measurement.shared[.name]?.value == nil
            if isUnnamed, whole[.resolver] != nil { unnamed += 1 }
            return whole
        }
    }
}

/// Recognises rows that a file contains several times, for example after overlapping downloads.
///
/// Memory is bounded. A repeated row is recognised if fewer than ``most`` other rows are between both.
struct AtlasRepetitions {
    private static let most = 1 << 20

    private var recent: Set<Int> = []
    private var earlier: Set<Int> = []

    /// Whether the row is new.
    mutating func insert(_ row: SampleCells) -> Bool {
        let digest = row.digest
        guard !earlier.contains(digest), recent.insert(digest).inserted else { return false }
        if recent.count >= Self.most {
            earlier = recent
            recent = []
        }
        return true
    }
}

extension SampleCells {
    /// A hash value of all cells.
    fileprivate var digest: Int {
        var hasher = Hasher()
        for column in SampleColumn.allCases { hasher.combine(self[column]) }
        return hasher.finalize()
    }

    /// Sets a cell if it is empty.
    fileprivate mutating func fill(_ column: SampleColumn, with data: [UInt8]?) {
        guard self[column] == nil, let data else { return }
        append(data)
        endCell(of: column)
    }
}
