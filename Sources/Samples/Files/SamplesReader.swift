/// Reads samples files.
package enum SamplesReader {
    /// Reads a whole file that `source` gives; `file` is its name in errors. What a missing column
    /// would tell is unknown: the run then has no name, the transport is UDP, the type A, and the
    /// timeout 5 s.
    package static func read(
        _ format: SamplesFormat,
        file: String,
        source: @escaping SamplesStream.Source
    ) throws -> Recording {
        var stream = SamplesStream(format, file: file, source: source)
        return try stream.rest()
    }
}

/// Reads a samples file of any size piece by piece, its rows in their order.
package struct SamplesStream {
    /// Gives the next octets of the file, and none at its end.
    package typealias Source = () throws -> [UInt8]

    private enum Reader {
        case csv(CommaSeparatedReader)
        case jsonLines(JSONLinesReader)
    }

    private let format: SamplesFormat
    private let file: String
    private let source: Source
    private var reader: Reader?
    private var decoder = SampleDecoder()
    private var cells: SampleCells
    private var rows: WholeRows

    /// Reads what `source` gives; `file` is its name in errors. What a missing column would tell is
    /// as ``SamplesReader`` has it.
    package init(_ format: SamplesFormat, file: String, source: @escaping Source) {
        self.format = format
        self.file = file
        self.source = source
        cells = SampleCells(file: file)
        rows = WholeRows(hasQuotes: format == .csv)
    }

    /// The samples of the next rows, with all runs, targets and questions until now; `nil` at the
    /// end. A round goes on in the next ones where it has more rows. Throws ``SamplesError``, or
    /// what the source throws.
    package mutating func next() throws -> Recording? {
        while let bytes = try nextRows() {
            try read(bytes)
            let recording = decoder.takeRounds()
            if !recording.samples.isEmpty { return recording }
        }
        return nil
    }

    /// All that is left, with the marks of its rounds. Throws as ``next()`` does.
    mutating func rest() throws -> Recording {
        while let bytes = try nextRows() { try read(bytes) }
        var recording = decoder.takeRounds()
        recording.markRounds()
        return recording
    }

    /// In octets: more than any row of this program takes.
    private static let longestRow = 1 << 20

    /// That of the row that was not yet read whole.
    private var line: Int {
        switch reader {
        case .csv(let csv): csv.line
        case .jsonLines(let lines): lines.line + 1
        case nil: 1
        }
    }

    /// The next octets of the file that are whole rows.
    private mutating func nextRows() throws -> [UInt8]? {
        while !rows.isAtEnd {
            let bytes = rows.add(try source())
            if !bytes.isEmpty { return bytes }
            guard rows.waiting <= Self.longestRow else {
                throw SamplesError(file: file, line: line, reason: "is longer than a row can be")
            }
        }
        // A file without a header is told so.
        return reader == nil ? [] : nil
    }

    private mutating func read(_ bytes: [UInt8]) throws(SamplesError) {
        switch reader {
        case .csv(var csv):
            // Two owners would make each change a copy.
            reader = nil
            csv.proceed(to: bytes)
            while try csv.next(into: &cells) { try decoder.append(cells) }
            reader = .csv(csv)
        case .jsonLines(var lines):
            reader = nil
            lines.proceed(to: bytes)
            while try lines.next(into: &cells) { try decoder.append(cells) }
            reader = .jsonLines(lines)
        case nil:
            switch format {
            case .csv:
                var csv = try CommaSeparatedReader(bytes, file: file)
                while try csv.next(into: &cells) { try decoder.append(cells) }
                reader = .csv(csv)
            case .jsonLines:
                reader = .jsonLines(JSONLinesReader([], file: file))
                try read(bytes)
            }
        }
    }
}

/// Cuts the octets of a file, which come in any portions, at the ends of rows.
private struct WholeRows {
    /// Whether a line feed may stand in a quoted cell (RFC 4180).
    let hasQuotes: Bool
    private(set) var isAtEnd = false
    private var rest: [UInt8] = []
    /// Octets that are no whole row yet.
    var waiting: Int { rest.count }
    /// How far ``rest`` was looked through, and where its last whole row ends.
    private var seen = 0
    private var end = 0
    private var place = Place.start

    init(hasQuotes: Bool) { self.hasQuotes = hasQuotes }

    /// Takes the next portion and returns the whole rows that there are; all with an empty one.
    mutating func add(_ portion: [UInt8]) -> [UInt8] {
        guard !portion.isEmpty else {
            isAtEnd = true
            defer { rest = [] }
            return rest
        }
        rest += portion
        look()
        guard end > 0 else { return [] }
        let rows = Array(rest[..<end])
        rest.removeSubrange(..<end)
        seen -= end
        end = 0
        return rows
    }

    private mutating func look() {
        guard hasQuotes, place == .quoted || rest[seen...].contains(UInt8(ascii: "\"")) else {
            let feed = rest[seen...].lastIndex(of: UInt8(ascii: "\n"))
            if let feed { end = feed + 1 }
            if let last = rest.last { place = place.after(last) }
            seen = rest.count
            return
        }
        while seen < rest.count {
            place = place.after(rest[seen])
            seen += 1
            if place == .start, rest[seen - 1] == UInt8(ascii: "\n") { end = seen }
        }
    }

    /// Where in a cell an octet stands; a quote opens one at its start alone.
    private enum Place {
        case start, plain, quoted, closed

        func after(_ octet: UInt8) -> Place {
            switch octet {
            case UInt8(ascii: "\""):
                switch self {
                case .start, .closed: .quoted
                case .plain: .plain
                case .quoted: .closed
                }
            case UInt8(ascii: ","), UInt8(ascii: "\n"): self == .quoted ? .quoted : .start
            default: self == .quoted ? .quoted : .plain
            }
        }
    }
}
