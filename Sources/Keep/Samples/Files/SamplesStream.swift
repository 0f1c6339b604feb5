/// Reads the rows of a samples file in one of its formats.
protocol RowReader {
    /// Reads the next row that is not empty; returns `false` at the end. Throws ``SamplesError``, or the
    /// errors of the file's source.
    mutating func next(into cells: inout SampleCells) throws -> Bool
}

/// Reads a samples file of any size piece by piece. Rows keep their order.
package struct SamplesStream {
    /// Returns the next bytes of the file; empty at its end.
    package typealias Source = () throws -> [UInt8]

    private var reader: any RowReader
    private var decoder = SampleDecoder()
    private var cells: SampleCells

    /// The number of samples per piece.
    private static let pieceLength = 4096

    /// Reads the bytes that `source` returns; `file` is its name in errors. A missing column has a default:
    /// an empty run name, UDP, the type A, and a timeout of 5 s.
    package init(_ format: SamplesFormat, file: String, source: @escaping Source) {
        let lines = FileLines(file: file, source: source)
        reader =
            switch format {
            case .csv: CommaSeparatedReader(lines)
            case .jsonLines: JSONLinesReader(lines)
            case .atlas: AtlasReader(JSONObjects(file: file, source: source))
            }
        cells = SampleCells(file: file)
    }

    /// Counts of the RIPE Atlas results so far that are not samples, or are incomplete; `nil` for other
    /// formats.
    package var atlasRemarks: AtlasRemarks? { (reader as? AtlasReader)?.remarks }

    /// Whether the rows of a run contain a column for the marks of rounds, even if it is empty. Marks in the
    /// file are not derived again. A part of a round is a worse basis for them than the whole round.
    package func tellsMarks(ofRun run: Int32) -> Bool { decoder.tellsMarks[Int(run)] }

    /// The samples of the next rows, with all runs, targets and questions so far; `nil` at the end. A round
    /// may continue in the next piece. Throws ``SamplesError``, or the errors of the source.
    package mutating func next() throws -> Recording? {
        try read(atMost: Self.pieceLength)
        let recording = decoder.takeRounds()
        return recording.samples.isEmpty ? nil : recording
    }

    /// All remaining samples, with the marks of their rounds. Throws the same errors as ``next()``.
    package mutating func rest() throws -> Recording {
        try read(atMost: .max)
        var recording = decoder.takeRounds()
        recording.markRounds { !tellsMarks(ofRun: $0.run) }
        return recording
    }

    private mutating func read(atMost rows: Int) throws {
        while decoder.recording.samples.count < rows, try reader.next(into: &cells) {
            try decoder.append(cells)
        }
    }
}
