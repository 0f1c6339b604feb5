/// Takes the rows of a samples file apart, in one of its formats.
protocol RowReader {
    /// Reads the next row that is not empty; `false` at the end. Throws ``SamplesError``, or what
    /// the file's source throws.
    mutating func next(into cells: inout SampleCells) throws -> Bool
}

/// Reads a samples file of any size piece by piece, its rows in their order.
package struct SamplesStream {
    /// Gives the next octets of the file, and none at its end.
    package typealias Source = () throws -> [UInt8]

    private var reader: any RowReader
    private var decoder = SampleDecoder()
    private var cells: SampleCells

    /// So many samples are handed over at a time.
    private static let pieceLength = 4096

    /// Reads what `source` gives; `file` is its name in errors. What a missing column would tell is
    /// unknown: the run then has no name, the transport is UDP, the type A, and the timeout 5 s.
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

    /// Remarks on what was found in results of RIPE Atlas until now that is no sample, or not all
    /// of one; `nil` for other formats.
    package var atlasRemarks: AtlasRemarks? { (reader as? AtlasReader)?.remarks }

    /// Whether the rows of a run have had a column for the marks of rounds, were it empty: a part of a
    /// round tells them no better than the whole did.
    package func tellsMarks(ofRun run: Int32) -> Bool { decoder.tellsMarks[Int(run)] }

    /// The samples of the next rows, with all runs, targets and questions until now; `nil` at the
    /// end. A round goes on in the next ones where it has more rows. Throws ``SamplesError``, or
    /// what the source throws.
    package mutating func next() throws -> Recording? {
        try read(atMost: Self.pieceLength)
        let recording = decoder.takeRounds()
        return recording.samples.isEmpty ? nil : recording
    }

    /// All that is left, with the marks of its rounds. Throws as ``next()`` does.
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
