#if DEBUG || TESTABLE
import Samples

/// A samples file in either format. No time in it is negative. Its samples can be written and read
/// again; further copies are equal to the first.
enum SamplesTarget {
    static func take(_ input: [UInt8]) {
        for format in SamplesFormat.allCases {
            guard let recording = read(input, format) else { continue }
            for sample in recording.samples where (sample.observation.roundTrip ?? 0) < 0 {
                accuse("a negative time")
            }
            // Escapes make a detail longer, so the limit on a detail may cut it once more.
            guard let copy = read(write(recording, format), format) else {
                accuse("a file that is read cannot be written and read again")
            }
            let written = write(copy, format)
            if read(written, format).map({ write($0, format) }) != written {
                accuse("a file that is written is another when it is read")
            }
        }
    }

    private static let piece = 64

    private static func read(_ octets: [UInt8], _ format: SamplesFormat) -> Recording? {
        var rest = octets[...]
        var stream = SamplesStream(format, file: "x") {
            // Passes the input in pieces that may end at any byte, like the reader of a file.
            defer { rest = rest.dropFirst(piece) }
            return Array(rest.prefix(piece))
        }
        return try? stream.rest()
    }

    private static func write(_ recording: Recording, _ format: SamplesFormat) -> [UInt8] {
        var octets: [UInt8] = []
        try? SamplesWriter.write(recording, as: format) { octets += $0 }
        return octets
    }
}
#endif
