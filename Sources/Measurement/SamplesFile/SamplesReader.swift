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
        var samples: [Sample] = []
        while let more = try stream.next() { samples += more }
        return Recording(
            runs: stream.runs,
            targets: stream.targets,
            questions: stream.questions,
            samples: samples
        )
    }
}
