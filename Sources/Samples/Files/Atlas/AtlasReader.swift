import Catalogue
import DNSWire

/// Takes results of DNS measurements of RIPE Atlas apart: a row for each query of a probe.
///
/// What others measured is as far a sample as its keys tell. What this program has written has the
/// columns that no key tells in an object of its own, `dnstempo`.
struct AtlasReader: RowReader {
    static let ownKey = "dnstempo"

    private(set) var remarks = AtlasRemarks()
    private var objects: JSONObjects
    private var ready: [SampleCells] = []
    /// How many of these were handed over.
    private var taken = 0
    private var questions = AtlasQuestions()

    init(_ objects: JSONObjects) { self.objects = objects }

    mutating func next(into cells: inout SampleCells) throws -> Bool {
        while taken == ready.count {
            ready.removeAll(keepingCapacity: true)
            taken = 0
            guard let piece = try objects.next() else {
                remarks.withoutQuestion += questions.waiting
                questions = AtlasQuestions()
                return false
            }
            try read(piece)
        }
        cells = ready[taken]
        taken += 1
        return true
    }

    private mutating func read(_ piece: JSONObjects.Piece) throws(SamplesError) {
        let value = try piece.value(file: objects.file)
        let record = AtlasKeys(value: value, file: objects.file, piece: piece)
        guard record["type"]?.text?.lowercased() == "dns" else {
            remarks.countOther(record["type"]?.text)
            return
        }
        guard case .array(let entries)? = record["resultset"] else {
            let result = try AtlasResult(record, of: record)
            try add(result, record, firmware: record.integer("fw"))
            return
        }
        for (index, value) in entries.enumerated() {
            let entry = AtlasKeys(value: value, file: objects.file, piece: piece)
            let result = try AtlasResult(entry, of: record, place: index + 1)
            try add(result, entry, firmware: record.integer("fw"))
        }
    }

    private mutating func add(
        _ result: AtlasResult,
        _ entry: AtlasKeys,
        firmware: Int64?
    ) throws(SamplesError) {
        guard result.answer != nil || result.failure != nil else {
            remarks.withoutResult += 1
            return
        }
        var cells = SampleCells(file: objects.file)
        cells.clear(line: entry.piece.line, octet: entry.piece.octet)
        result.fill(&cells)
        if let own = entry.object(Self.ownKey) {
            // Files of earlier versions leave it to the key of the error.
            cells.set(.timeout, toMilliseconds: result.failure?.timeout)
            cells.set(.marks, to: "")
            try cells.fill(from: own)
        } else {
            let message = try AtlasMessage(entry)
            message.fill(&cells)
            cells.set(.detail, to: result.detail(of: message, firmware: firmware))
            if result.transport == .tls { cells.set(.flags, to: SampleFlags.unverified.text) }
            if result.isTCP, result.answer?.total != nil, result.connect == nil {
                remarks.undivided += 1
            }
        }
        guard cells[.resolver] != nil else { throw entry.error("the key dst_addr is missing") }
        guard let measurement = result.measurement else {
            if cells[.name] != nil { ready.append(cells) } else { remarks.withoutQuestion += 1 }
            return
        }
        let (rows, lost) = questions.take(cells, of: measurement)
        ready += rows
        remarks.withoutQuestion += lost
    }
}

/// Counts of what there is in results of RIPE Atlas that is no sample, or not all of one.
package struct AtlasRemarks: Hashable, Sendable {
    /// Results of other measurements by their type, the empty one for none.
    package private(set) var others: [String: Int] = [:]
    /// Neither answer nor error.
    package fileprivate(set) var withoutResult = 0
    /// Neither they nor another result of their measurement tell the name that was asked for.
    package fileprivate(set) var withoutQuestion = 0
    /// Answers over TCP or TLS with one time for the query and for opening the connection.
    package fileprivate(set) var undivided = 0

    /// Types that are told apart.
    private static let mostTypes = 10

    fileprivate mutating func countOther(_ type: String?) {
        let type = (type ?? "").cut(toCharacters: 40)
        let isKnown = others[type] != nil || others.count < Self.mostTypes
        others[isKnown ? type : "", default: 0] += 1
    }
}

/// The questions of measurements: a query without an answer often does not repeat its own, which is
/// that of all others of its measurement.
private struct AtlasQuestions {
    private struct Measurement {
        /// Name and type; `nil` until one is known, and where they differ.
        var question: [[UInt8]]?
        var differ = false
        var rows: [SampleCells] = []
    }

    private var measurements: [Int64: Measurement] = [:]
    /// Rows that wait for a question.
    private(set) var waiting = 0
    /// In all of them.
    private var octets = 0

    private static let mostWaiting = (rows: 10_000, octets: 16 << 20)
    private static let mostMeasurements = 100_000

    /// Hands back the rows that are whole by now, and tells how many never will be.
    mutating func take(_ cells: SampleCells, of id: Int64) -> (rows: [SampleCells], lost: Int) {
        let isKnown = measurements[id] != nil
        guard isKnown || measurements.count < Self.mostMeasurements else {
            return cells[.name] == nil ? ([], 1) : ([cells], 0)
        }
        var measurement = measurements[id] ?? Measurement()
        defer { measurements[id] = measurement }
        guard let name = cells[.name] else {
            if measurement.differ { return ([], 1) }
            if let question = measurement.question { return ([cells.asking(question)], 0) }
            let most = Self.mostWaiting
            guard waiting < most.rows, octets + cells.bytes.count <= most.octets else {
                return ([], 1)
            }
            measurement.rows.append(cells)
            waiting += 1
            octets += cells.bytes.count
            return ([], 0)
        }
        let question = [Array(name), Array(cells[.type] ?? [])]
        if measurement.differ || measurement.question == question { return ([cells], 0) }
        guard measurement.question == nil else {
            measurement.differ = true
            measurement.question = nil
            return ([cells], 0)
        }
        measurement.question = question
        let rows = measurement.rows.map { $0.asking(question) }
        waiting -= rows.count
        octets -= measurement.rows.reduce(0) { $0 + $1.bytes.count }
        measurement.rows = []
        return (rows + [cells], 0)
    }
}

extension SampleCells {
    fileprivate func asking(_ question: [[UInt8]]) -> SampleCells {
        var cells = self
        for (column, octets) in zip([SampleColumn.name, .type], question) {
            cells.append(octets)
            cells.endCell(of: column)
        }
        return cells
    }

    /// Takes over what this program wrote of its own.
    fileprivate mutating func fill(from own: AtlasKeys) throws(SamplesError) {
        guard case .object(let members) = own.value else { return }
        for (key, value) in members {
            guard let column = SampleColumn(title: key) else { continue }
            switch value {
            case .string(let octets): append(octets)
            case .number(let text): append(text.utf8)
            case .null: break
            default: throw own.error("the key \(key) is neither a string nor a number")
            }
            endCell(of: column)
        }
    }
}
