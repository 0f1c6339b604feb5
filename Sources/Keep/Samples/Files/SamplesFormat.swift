package import Failures

/// The format of a samples file. Each format has one row per query, in the order of sending.
package enum SamplesFormat: String, Hashable, Sendable, CaseIterable {
    /// A header and comma-separated cells (RFC 4180, with line feeds). An unknown value is an empty cell.
    case csv
    /// One object per line, with the same names as keys. An unknown value is `null`.
    case jsonLines = "jsonl"
    /// Results of RIPE Atlas DNS measurements. They are read as an array or as one object per line, and
    /// written as one object per line.
    case atlas

    /// The format according to the first bytes of a file; `nil` if they are not sufficient. An API error of
    /// RIPE Atlas has the format of its results.
    package static func recognised(in beginning: [UInt8]) -> SamplesFormat? {
        let text = beginning.drop { JSONScanner.isSpace($0) || "\u{feff}".utf8.contains($0) }
        switch text.first {
        case UInt8(ascii: "["): return .atlas
        case UInt8(ascii: "{"):
            func has(_ key: String) -> Bool {
                text.contains(bytes: Array("\"\(key)\"".utf8))
            }
            if atlasKeys.contains(where: has) { return .atlas }
            let isError =
                AtlasKeys.errorKeys.contains(where: has) && !has(SampleColumn.outcome.title)
            return isError ? .atlas : .jsonLines
        default: return nil
        }
    }

    /// Any result has some of these among its first keys, and no column has these names.
    private static let atlasKeys = ["msm_id", "prb_id", "resultset", "abuf", "dst_addr"]
}

/// The columns of a samples file, in their order. Columns are only added, and never changed. A column's
/// number is its position in a row.
enum SampleColumn: Int, CaseIterable {
    case run, round, scheduled, sent, vantage, resolver, endpoint, transport, series, name, type
    case outcome, responseCode, roundTrip, connect, handshake, udp, ttl, answers, size, lateness
    case clock, timeout, cache, site, extendedErrors, connection, detail, flags, marks, origin
    case networkRTT, edge, warmupHits, warmupMisses, warmupMissTime, cause, causeValue
    case bytesOut, bytesIn, packets

    private static let columns = Dictionary(
        uniqueKeysWithValues: zip(declarations.map(\.key), allCases)
    )

    init?(title: String) {
        guard let column = Self.columns[title] else { return nil }
        self = column
    }

    var title: String { Self.declarations[rawValue].key }

    /// Whether the cell is free text. A spreadsheet might interpret free text as a formula.
    var isText: Bool {
        switch self {
        case .run, .vantage, .resolver, .endpoint, .transport, .name, .site, .extendedErrors,
            .detail, .causeValue:
            true
        default: false
        }
    }

    /// Whether the cell is a time in milliseconds.
    var isTime: Bool { Self.declarations[rawValue].unit == .milliseconds }

    /// The columns without which a row has no meaning.
    static let required: [SampleColumn] = [.resolver, .name, .outcome]
}

/// An error in a samples file, with its position.
package struct SamplesError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus { .badData }
    package var file: String
    /// The line, from 1.
    package var line: Int
    /// The name of the column; `nil` if the whole line is invalid.
    package var column: String?
    package var reason: String
    /// The position of the error in the file, or of the object that contains it, in bytes from 1. It is set
    /// for formats whose lines may be as long as the file.
    package var byte: Int?

    package var description: String {
        let place = byte.map { ", byte \($0)" } ?? ""
        return "\(file), line \(line)\(place)\(column.map { ", column \($0)" } ?? ""): \(reason)"
    }
}
