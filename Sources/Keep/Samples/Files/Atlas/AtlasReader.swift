import Catalogue
import DNSWire

/// Reads results of RIPE Atlas DNS measurements, with one row per query of a probe.
///
/// A result of another program becomes a sample as far as its keys allow. In results that this program has
/// written, the object `dnstempo` contains the remaining columns.
struct AtlasReader: RowReader {
    static let ownKey = "dnstempo"

    private(set) var remarks = AtlasRemarks()
    private var objects: JSONObjects
    private var ready: [SampleCells] = []
    /// The number of ready rows that were already returned.
    private var taken = 0
    private var measurements = AtlasMeasurements()
    private var repetitions = AtlasRepetitions()

    init(_ objects: JSONObjects) { self.objects = objects }

    mutating func next(into cells: inout SampleCells) throws -> Bool {
        while taken == ready.count {
            ready.removeAll(keepingCapacity: true)
            taken = 0
            if let piece = try objects.next() {
                try read(piece)
                continue
            }
            makeReady(measurements.rest())
            guard !ready.isEmpty else { return false }
        }
        cells = ready[taken]
        taken += 1
        return true
    }

    private mutating func read(_ piece: JSONObjects.Piece) throws(SamplesError) {
        let value = try piece.value(file: objects.file)
        let record = AtlasKeys(value: value, file: objects.file, piece: piece)
        guard record["type"]?.text?.lowercased() == "dns" else {
            if let error = record.errorOfService { throw error }
            remarks.countOther(record["type"]?.text)
            return
        }
        let firmware = record.version("fw")
        var entries: [(keys: AtlasKeys, place: Int?)] = [(record, nil)]
        if case .array(let values)? = record["resultset"] {
            entries = values.enumerated().map { index, value in
                (AtlasKeys(value: value, file: objects.file, piece: piece), index + 1)
            }
        }
        var rows: [SampleCells] = []
        for (entry, place) in entries {
            let result = try AtlasResult(entry, of: record, place: place)
            if let row = try row(of: result, entry, firmware) { rows.append(row) }
        }
        makeReady(measurements.take(rows, of: try record.integer("msm_id")))
    }

    /// The row of a query; `nil` if the query has neither answer nor error, or if the file has already
    /// contained it.
    private mutating func row(
        of result: AtlasResult,
        _ entry: AtlasKeys,
        _ firmware: String?
    ) throws(SamplesError) -> SampleCells? {
        guard result.answer != nil || result.failure != nil else {
            remarks.withoutResult += 1
            return nil
        }
        var cells = SampleCells(file: objects.file)
        cells.clear(line: entry.piece.line, byte: entry.piece.byte)
        result.fill(&cells)
        if let own = entry.object(Self.ownKey) {
            // Files of earlier versions contain the timeout only in the error.
            cells.set(.timeout, toMilliseconds: result.failure?.timeout)
            cells.set(.marks, to: "")
            try cells.fill(from: own)
        } else {
            let message = try AtlasMessage(entry)
            message.fill(&cells)
            cells.set(.detail, to: result.detail(of: message, firmware: firmware))
            let flags = message.flags.union(result.transport == .tls ? .unverified : [])
            if !flags.isEmpty { cells.set(.flags, to: flags.text) }
            if let cause = message.cause ?? result.cause {
                cells.set(.cause, to: cause.kind.rawValue)
                cells.set(.causeValue, to: cause.value)
            }
        }
        // Without these numbers, equal rows may stand for different queries.
        let isNumbered = result.measurement != nil && result.probe != nil
        guard !isNumbered || repetitions.insert(cells) else {
            remarks.repeated += 1
            return nil
        }
        if entry.object(Self.ownKey) == nil, result.isTCP, result.answer?.total != nil,
            result.connect == nil
        {
            remarks.undivided += 1
        }
        return cells
    }

    private mutating func makeReady(_ rows: [SampleCells]) {
        ready += rows.filter { $0[.resolver] != nil }
        remarks.withoutResolver += rows.count { $0[.resolver] == nil }
        remarks.withoutQuestion = measurements.unnamed
    }
}

/// Counts of results of RIPE Atlas that are not samples, or are incomplete samples.
package struct AtlasRemarks: Hashable, Sendable {
    /// The number of results of other measurements by type. The empty key counts results without a type.
    package private(set) var others: [String: Int] = [:]
    /// The number of results with neither answer nor error.
    package fileprivate(set) var withoutResult = 0
    /// The number of queries whose name is missing in all results of their measurement.
    package fileprivate(set) var withoutQuestion = 0
    /// The number of queries whose resolver is missing in all results of their measurement.
    package fileprivate(set) var withoutResolver = 0
    /// The number of repeated queries in the file.
    package fileprivate(set) var repeated = 0
    /// The number of answers over TCP or TLS with a single time for both the connection and the query.
    package fileprivate(set) var undivided = 0

    /// The name of a query if no result contains its name. No such name exists (RFC 6761 §6.4).
    package static let unknownName = "unknown.invalid"
    /// The maximum number of types that are counted separately.
    private static let mostTypes = 10

    fileprivate mutating func countOther(_ type: String?) {
        let type = (type ?? "").cut(toCharacters: 40)
        let isKnown = others[type] != nil || others.count < Self.mostTypes
        others[isKnown ? type : "", default: 0] += 1
    }
}

extension SampleCells {
    /// Sets the cells that this program wrote into its own object.
    fileprivate mutating func fill(from own: AtlasKeys) throws(SamplesError) {
        guard case .object(let members) = own.value else { return }
        let values = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        for (key, value) in values {
            guard let column = SampleColumn(title: key) else { continue }
            switch value {
            case .string(let text): append(text.utf8)
            case .numeral(let text): append(text.utf8)
            case .null: break
            default: throw own.error("the key \(key) is neither a string nor a number")
            }
            endCell(of: column)
        }
    }
}
