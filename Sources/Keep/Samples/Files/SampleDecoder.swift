import Catalogue
import DNSWire

/// Turns the rows of a samples file into a recording.
struct SampleDecoder {
    private(set) var recording = Recording()
    /// For each run whether its rows have a column for the marks of rounds, were it empty.
    private(set) var tellsMarks: [Bool] = []
    private var runs: [[UInt8]: Int32] = [:]
    private var targets: [[UInt8]: Int32] = [:]
    /// The same, since one address may be written in several ways.
    private var targetPlaces: [Recording.Target: Int32] = [:]
    private var questions: [[UInt8]: Int32] = [:]
    /// However a file spells them: names are equal without regard to case.
    private var knownQuestions: [Question: Int32] = [:]
    private var rounds: [Round.Key: Int32] = [:]
    private var key: [UInt8] = []

    /// Adds one row, or throws what is wrong with it.
    mutating func append(_ cells: SampleCells) throws(SamplesError) {
        let observation = try observation(cells)
        let scheduled =
            try cells.moment(.scheduled) ?? observation.sent ?? Timestamp(nanoseconds: 0)
        recording.samples.append(
            Sample(
                round: try round(cells, at: scheduled),
                target: try target(cells),
                question: try question(cells),
                scheduled: scheduled,
                observation: observation
            )
        )
    }

    /// Hands over the samples that were added since, and their rounds; the texts stay.
    mutating func takeRounds() -> Recording {
        defer {
            recording.samples.removeAll(keepingCapacity: true)
            recording.rounds.removeAll(keepingCapacity: true)
            rounds.removeAll(keepingCapacity: true)
        }
        return recording
    }

    private mutating func round(
        _ cells: SampleCells,
        at scheduled: Timestamp
    ) throws(SamplesError) -> Int32 {
        let key = Round.Key(
            run: try run(cells, at: scheduled),
            number: try cells.integer(.round) ?? 1
        )
        let index: Int32
        if let last = recording.rounds.last, last.key == key {
            index = Int32(clamping: recording.rounds.count - 1)
        } else if let known = rounds[key] {
            index = known
        } else {
            index = Int32(clamping: recording.rounds.count)
            rounds[key] = index
            recording.rounds.append(Round(run: key.run, number: key.number, started: scheduled))
        }
        if cells.has(.marks) { tellsMarks[Int(key.run)] = true }
        if let text = cells.text(.marks) {
            recording.rounds[Int(index)].marks.formUnion(RoundMarks(text: text))
        }
        return index
    }

    private mutating func run(
        _ cells: SampleCells,
        at scheduled: Timestamp
    ) throws(SamplesError) -> Int32 {
        fillKey(cells, [.run, .vantage, .timeout])
        if let index = runs[key] { return index }
        let run = Run(
            id: try cells.name(.run) ?? "",
            vantage: try cells.name(.vantage) ?? "",
            timeout: .nanoseconds(try cells.milliseconds(.timeout) ?? 5_000_000_000),
            origin: try cells.word(.origin) ?? .imported,
            started: scheduled
        )
        recording.runs.append(run)
        tellsMarks.append(false)
        return Self.add(key, to: &runs)
    }

    private mutating func target(_ cells: SampleCells) throws(SamplesError) -> Int32 {
        fillKey(cells, [.resolver, .endpoint, .transport, .series])
        if let index = targets[key] { return index }
        guard let label = try cells.name(.resolver) else {
            throw cells.error(.resolver, "is empty")
        }
        let target = Recording.Target(
            label: label,
            endpoint: Endpoint.canonicalPlace(try cells.name(.endpoint) ?? ""),
            transport: .init(try cells.name(.transport) ?? "udp"),
            series: try cells.word(.series) ?? .cached
        )
        let index = targetPlaces.place(of: target, in: &recording.targets, adding: target)
        targets[key] = index
        return index
    }

    private mutating func question(_ cells: SampleCells) throws(SamplesError) -> Int32 {
        fillKey(cells, [.name, .type])
        if let index = questions[key] { return index }
        let name: DomainName
        do throws(NameError) {
            // With escapes it may be longer than other names, but not on the wire.
            name = try DomainName(cells.text(.name) ?? "")
        } catch {
            throw cells.error(.name, error.description)
        }
        guard let type = RecordType(mnemonic: try cells.name(.type) ?? "A") else {
            throw cells.invalid(.type, "no record type")
        }
        let question = Question(name: name, type: type)
        let index = knownQuestions.place(
            of: question,
            in: &recording.questions,
            adding: question
        )
        questions[key] = index
        return index
    }

    private func observation(_ cells: SampleCells) throws(SamplesError) -> Observation {
        guard let outcome: Outcome = try cells.word(.outcome) else {
            throw cells.error(.outcome, "is empty")
        }
        var observation = Observation(outcome: outcome, clock: try cells.word(.clock))
        if let word = cells.text(.responseCode) {
            guard let code = ResponseCode(mnemonic: word) else {
                throw cells.invalid(.responseCode, "no response code")
            }
            observation.responseCode = code
        }
        observation.sent = try cells.moment(.sent)
        observation.roundTrip = try cells.milliseconds(.roundTrip)
        observation.ttl = try cells.integer(.ttl)
        observation.answers = try cells.integer(.answers)
        observation.size = try cells.integer(.size)
        observation.lateness = try cells.milliseconds(.lateness) ?? 0
        observation.cache = try cells.word(.cache)
        observation.extras = try extras(cells)
        return observation
    }

    private func extras(_ cells: SampleCells) throws(SamplesError) -> Observation.Extras? {
        let columns: [SampleColumn] = [
            .connect, .handshake, .udp, .site, .extendedErrors, .connection, .detail, .flags,
            .networkRTT, .edge, .warmupHits, .warmupMisses, .cause,
        ]
        guard columns.contains(where: { cells[$0] != nil }) else { return nil }
        let detail = cells.text(.detail)
        return Observation.Extras(
            connect: try cells.milliseconds(.connect),
            handshake: try cells.milliseconds(.handshake),
            udp: try cells.milliseconds(.udp),
            edge: try cells.milliseconds(.edge),
            site: cells.text(.site),
            extendedErrors: cells.text(.extendedErrors),
            connection: try cells.word(.connection),
            detail: detail,
            // Later versions may have other words.
            cause: cells.text(.cause).flatMap(FailureCause.Kind.init(rawValue:))
                .map { FailureCause($0, cells.text(.causeValue)) },
            flags: cells.has(.flags)
                ? SampleFlags(text: cells.text(.flags) ?? "") : SampleFlags(detail: detail),
            networkRTT: try cells.milliseconds(.networkRTT),
            warmup: WarmupTally(
                hits: try cells.integer(.warmupHits),
                misses: try cells.integer(.warmupMisses),
                missTime: try cells.milliseconds(.warmupMissTime)
            )
        ).withinLimits
    }

    /// The cells that make one run, target or question, with what no text contains between them.
    private mutating func fillKey(_ cells: SampleCells, _ columns: [SampleColumn]) {
        key.removeAll(keepingCapacity: true)
        for column in columns {
            if let cell = cells[column] { key.append(contentsOf: cell) }
            key.append(0xff)
        }
    }

    private static func add(_ key: [UInt8], to indices: inout [[UInt8]: Int32]) -> Int32 {
        let index = Int32(clamping: indices.count)
        indices[key] = index
        return index
    }
}

/// One row of a samples file, taken apart: for each column the octets of its cell.
struct SampleCells {
    /// The name of the file, for errors.
    let file: String
    private(set) var line = 0
    /// Where in the file the row begins, for formats whose lines do not tell.
    private var octet: Int?
    private(set) var bytes: [UInt8] = []
    private var ranges = [Range<Int>?](repeating: nil, count: SampleColumn.allCases.count)
    private var start = 0

    init(file: String) { self.file = file }

    /// The octets of a cell; `nil` where the column is missing, or the cell is empty.
    subscript(column: SampleColumn) -> ArraySlice<UInt8>? {
        guard let range = ranges[column.rawValue], !range.isEmpty else { return nil }
        return bytes[range]
    }

    /// Whether the row has the column, were it empty.
    func has(_ column: SampleColumn) -> Bool { ranges[column.rawValue] != nil }

    mutating func clear(line: Int, octet: Int? = nil) {
        self.line = line
        self.octet = octet
        bytes.removeAll(keepingCapacity: true)
        for index in ranges.indices { ranges[index] = nil }
        start = 0
    }

    mutating func append(_ octet: UInt8) { bytes.append(octet) }

    mutating func append(_ octets: some Sequence<UInt8>) { bytes.append(contentsOf: octets) }

    /// Ends the cell that grew since the last one ended; a column that nobody knows is dropped.
    /// `unguarded` takes off the apostrophe before what looks like a formula.
    mutating func endCell(of column: SampleColumn?, unguarded: Bool = false) {
        defer { start = bytes.count }
        guard let column else { return }
        let quote = UInt8(ascii: "'")
        let isGuarded =
            unguarded && column.isText && bytes.count >= start + 2 && bytes[start] == quote
            && (bytes[start + 1] == quote || [UInt8].startsFormula(bytes[start + 1]))
        ranges[column.rawValue] = (isGuarded ? start + 1 : start)..<bytes.count
    }
}

/// Cells as what their columns hold; `nil` is unknown.
extension SampleCells {
    func text(_ column: SampleColumn) -> String? {
        self[column].map { String(decoding: $0, as: UTF8.self) }
    }

    /// A text that names something, which is not long.
    func name(_ column: SampleColumn) throws(SamplesError) -> String? {
        let longest = Resolver.longestName
        let isLong = (self[column]?.count ?? 0) > longest
        let text = isLong ? nil : text(column)
        // What is hidden, or no UTF-8, has more octets when it is written: a file that was read has
        // to be one that can be read again.
        guard !isLong, text.map({ [UInt8].harmless($0).count <= longest }) ?? true else {
            throw error(column, "is longer than \(longest) octets")
        }
        return text
    }

    func word<Word: NamedCase>(_ column: SampleColumn) throws(SamplesError) -> Word? {
        try value(column, "none of \(Word.words.joined(separator: ", "))") { cell in
            Word.words.firstIndex { cell.elementsEqual($0.utf8) }
                .flatMap { Word(rawValue: UInt8($0)) }
        }
    }

    func integer<Number: FixedWidthInteger>(
        _ column: SampleColumn
    ) throws(SamplesError) -> Number? {
        try value(column, "no whole number from 0 to \(Number.max)") { cell in
            var value: Number = 0
            for octet in cell {
                let digit = octet &- UInt8(ascii: "0")
                let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, more) = tens.addingReportingOverflow(Number(truncatingIfNeeded: digit))
                guard digit < 10, !overflow, !more else { return nil }
                value = sum
            }
            return value
        }
    }

    func moment(_ column: SampleColumn) throws(SamplesError) -> Timestamp? {
        try value(column, "no time such as 2026-11-21T03:35:12.123456Z") { Timestamp(utf8: $0) }
    }

    /// Milliseconds of any number of decimals, in nanoseconds.
    func milliseconds(_ column: SampleColumn) throws(SamplesError) -> Int64? {
        try value(column, "no number of milliseconds") { Self.nanoseconds(ofMilliseconds: $0) }
    }

    /// `nil` for what is no time from zero to the longest.
    static func nanoseconds(ofMilliseconds text: ArraySlice<UInt8>) -> Int64? {
        let value = nanoseconds(text) ?? roundedNanoseconds(text)
        return value.flatMap { $0 <= Observation.longestTime ? $0 : nil }
    }

    /// The value of a cell as `read` has it; `fault` says what it is where it has none.
    private func value<Value>(
        _ column: SampleColumn,
        _ fault: @autoclosure () -> String,
        read: (ArraySlice<UInt8>) -> Value?
    ) throws(SamplesError) -> Value? {
        guard let cell = self[column] else { return nil }
        guard let value = read(cell) else { throw invalid(column, fault()) }
        return value
    }

    func error(_ column: SampleColumn, _ reason: String) -> SamplesError {
        SamplesError(
            file: file,
            line: line,
            column: column.title,
            reason: reason,
            octet: octet
        )
    }

    /// That what a cell has is not what its column holds.
    func invalid(_ column: SampleColumn, _ reason: String) -> SamplesError {
        let text = (text(column) ?? "").cut(toCharacters: 80)
        return error(column, "'\(text)' is \(reason)")
    }

    /// Digits, and up to six more after a point: exact. `nil` for anything else.
    private static func nanoseconds(_ cell: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        var decimals = -1
        var digits = 0
        for octet in cell {
            if octet == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
                continue
            }
            guard octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9"), digits < 17 else {
                return nil
            }
            value = value * 10 + Int64(octet - UInt8(ascii: "0"))
            digits += 1
            if decimals >= 0 { decimals += 1 }
        }
        guard digits > 0, decimals <= 6 else { return nil }
        for _ in max(0, decimals)..<6 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        return value
    }

    /// Any other number that other programs write, such as `1.5e-3`.
    private static func roundedNanoseconds(_ cell: ArraySlice<UInt8>) -> Int64? {
        guard let number = Double(String(decoding: cell, as: UTF8.self)), number >= 0 else {
            return nil
        }
        return Int64(exactly: (number * 1_000_000).rounded())
    }
}
