import Catalogue
import DNSWire

/// Writes samples of one recording as they arrive.
package struct SamplesWriter {
    /// Receives the next bytes of the file.
    package typealias Sink = ([UInt8]) throws -> Void

    // Cells that are equal in all rows of a run, round, target or question. They are encoded once.
    private let runs: [(id: [UInt8], vantage: [UInt8], timeout: [UInt8], origin: [UInt8])]
    private let rounds: [Round]
    private let roundMarks: [[UInt8]]
    private let targets: [[UInt8]]
    private let questions: [[UInt8]]
    private let sink: Sink
    private var row: SampleRow

    /// The number of bytes after which the rows are passed to the sink.
    private static let batch = 1 << 16

    /// Creates a writer of samples that refer to the runs, rounds, targets and questions of a recording. It
    /// first writes the header, if the format has one, unless the writer `continues` a file with a header.
    package init(
        _ format: SamplesFormat,
        continues: Bool = false,
        for recording: Recording,
        sink: @escaping Sink
    ) {
        self.sink = sink
        func cells(_ fill: (inout SampleRow) -> Void) -> [UInt8] {
            var row = SampleRow(format)
            fill(&row)
            return row.bytes
        }
        rounds = recording.rounds
        roundMarks = rounds.map { round in
            cells { $0.append(word: round.marks.text, to: .marks) }
        }
        runs = recording.runs.map { run in
            let timeout = run.timeout.nanoseconds
            return (
                cells { $0.append(text: run.id, to: .run) },
                cells { $0.append(text: run.vantage, to: .vantage) },
                cells { $0.append(milliseconds: timeout, to: .timeout) },
                cells { $0.append(word: run.origin, to: .origin) }
            )
        }
        targets = recording.targets.map { target in
            cells {
                $0.append(text: target.label, to: .resolver)
                $0.append(text: target.endpoint, to: .endpoint)
                $0.append(text: target.transport.description, to: .transport)
                $0.append(word: target.series, to: .series)
            }
        }
        questions = recording.questions.map { question in
            cells {
                $0.append(text: question.name.description, to: .name)
                $0.append(text: question.type.description, to: .type)
            }
        }
        row = SampleRow(format)
        if !continues { row.appendHeader() }
    }

    /// Writes a whole recording. It first writes the header, unless it `continues` a file with a header.
    package static func write(
        _ recording: Recording,
        as format: SamplesFormat,
        continues: Bool = false,
        to sink: @escaping Sink
    ) throws {
        guard format != .atlas else { return try AtlasWriter(recording).write(to: sink) }
        var writer = SamplesWriter(format, continues: continues, for: recording, sink: sink)
        try writer.append(recording.samples)
        try writer.flush()
    }

    /// Adds rows. Some rows stay in memory until ``flush()``.
    package mutating func append(_ samples: some Sequence<Sample>) throws {
        for sample in samples {
            append(sample)
            if row.bytes.count >= Self.batch { try flush() }
        }
    }

    package mutating func flush() throws {
        guard !row.bytes.isEmpty else { return }
        try sink(row.bytes)
        row.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ sample: Sample) {
        let (round, target) = (Int(sample.round), Int(sample.target))
        let question = Int(sample.question)
        // Without its texts, a row could not be read again.
        guard rounds.indices.contains(round), runs.indices.contains(Int(rounds[round].run)),
            targets.indices.contains(target), questions.indices.contains(question)
        else { return }
        let run = Int(rounds[round].run)
        row.bytes += runs[run].id
        row.append(number: rounds[round].number, to: .round)
        row.append(moment: sample.scheduled, to: .scheduled)
        row.append(moment: sample.observation.sent, to: .sent)
        row.bytes += runs[run].vantage
        row.bytes += targets[target]
        row.bytes += questions[question]
        append(sample.observation, timeout: runs[run].timeout)
        row.bytes += roundMarks[round]
        row.bytes += runs[run].origin
        let extras = sample.observation.extras
        row.append(milliseconds: extras?.networkRTT, to: .networkRTT)
        row.append(milliseconds: extras?.edge, to: .edge)
        row.append(number: extras?.warmup?.hits, to: .warmupHits)
        row.append(number: extras?.warmup?.misses, to: .warmupMisses)
        row.append(milliseconds: extras?.warmup?.missTime, to: .warmupMissTime)
        row.append(word: extras?.cause?.kind.rawValue, to: .cause)
        row.append(text: extras?.cause?.value, to: .causeValue)
        row.append(number: extras?.packets?.bytesOut, to: .bytesOut)
        row.append(number: extras?.packets?.bytesIn, to: .bytesIn)
        row.append(number: extras?.packets?.packets, to: .packets)
        row.endRow()
    }

    private mutating func append(_ observation: Observation, timeout: [UInt8]) {
        let extras = observation.extras
        row.append(word: observation.outcome, to: .outcome)
        row.append(word: observation.responseCode, to: .responseCode)
        row.append(milliseconds: observation.roundTrip, to: .roundTrip)
        row.append(milliseconds: extras?.connect, to: .connect)
        row.append(milliseconds: extras?.handshake, to: .handshake)
        row.append(milliseconds: extras?.udp, to: .udp)
        row.append(number: observation.ttl, to: .ttl)
        row.append(number: observation.answers, to: .answers)
        row.append(number: observation.size, to: .size)
        row.append(milliseconds: observation.lateness, to: .lateness)
        row.append(word: observation.clock, to: .clock)
        row.bytes += timeout
        row.append(word: observation.cache, to: .cache)
        row.append(text: extras?.site, to: .site)
        row.append(text: extras?.extendedErrors, to: .extendedErrors)
        row.append(word: extras?.connection, to: .connection)
        row.append(text: extras?.detail?.description, to: .detail)
        row.append(word: extras?.flags.text, to: .flags)
    }
}

/// Rows of a samples file under construction, in one of its formats.
struct SampleRow {
    var bytes: [UInt8] = []
    private let format: SamplesFormat

    init(_ format: SamplesFormat) { self.format = format }

    /// Adds the names of the columns, if the format has a header.
    mutating func appendHeader() {
        guard format == .csv else { return }
        bytes += SampleColumn.allCases.map(\.title).joined(separator: ",").utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func endRow() {
        if format != .csv { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func append(text: String?, to column: SampleColumn) {
        let format = format
        append(text, to: column) { bytes, text in
            switch format {
            case .csv: bytes.append(csvCell: text)
            case .jsonLines, .atlas: bytes.append(jsonString: text)
            }
        }
    }

    /// Adds a word of a closed set, which needs no escapes.
    mutating func append(word: (some CustomStringConvertible)?, to column: SampleColumn) {
        append(word, to: column, isQuoted: true) { $0 += $1.description.utf8 }
    }

    mutating func append(number: (some FixedWidthInteger)?, to column: SampleColumn) {
        append(number, to: column) { $0.append(decimal: $1) }
    }

    mutating func append(milliseconds nanoseconds: Int64?, to column: SampleColumn) {
        append(nanoseconds, to: column) { $0.append(milliseconds: $1) }
    }

    mutating func append(moment: Timestamp?, to column: SampleColumn) {
        append(moment, to: column, isQuoted: true) { $1.append(to: &$0) }
    }

    /// Adds a value. `isQuoted` applies to JSON.
    private mutating func append<Value>(
        _ value: Value?,
        to column: SampleColumn,
        isQuoted: Bool = false,
        _ write: (inout [UInt8], Value) -> Void
    ) {
        let isJSON = format != .csv
        if isJSON {
            bytes += Self.keys[column.rawValue]
        } else if column != .run {
            bytes.append(UInt8(ascii: ","))
        }
        guard let value else {
            if isJSON { bytes += Self.null }
            return
        }
        if isJSON, isQuoted { bytes.append(UInt8(ascii: "\"")) }
        write(&bytes, value)
        if isJSON, isQuoted { bytes.append(UInt8(ascii: "\"")) }
    }

    private static let null = Array("null".utf8)
    private static let keys = SampleColumn.allCases.map { column in
        Array("\(column == .run ? "{" : ",")\"\(column.title)\":".utf8)
    }
}
