/// Reads samples files.
public enum SamplesReader {
    /// Reads a whole file; `file` is its name in errors. What a missing column would tell is
    /// unknown: the run then has no name, the transport is UDP, the type A, and the timeout 5 s.
    public static func read(
        _ bytes: [UInt8],
        as format: SamplesFormat,
        file: String
    ) throws(SamplesError) -> Recording {
        var decoder = SampleDecoder(file: file)
        var cells = SampleCells()
        switch format {
        case .csv:
            var reader = try CommaSeparatedReader(bytes, file: file)
            while try reader.next(into: &cells) { try decoder.append(cells) }
        case .jsonLines:
            var reader = JSONLinesReader(bytes, file: file)
            while try reader.next(into: &cells) { try decoder.append(cells) }
        }
        return decoder.recording
    }
}
