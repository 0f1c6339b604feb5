package import Failures

/// How a samples file is written: a row a query, in the order of sending.
package enum SamplesFormat: String, Hashable, Sendable, CaseIterable {
    /// A header and comma-separated cells (RFC 4180, with line feeds), empty for what is unknown.
    case csv
    /// An object a line, the same names as keys, `null` for what is unknown.
    case jsonLines = "jsonl"
    /// Results of DNS measurements of RIPE Atlas: read as an array or an object a line, written as
    /// an object a line.
    case atlas

    /// The format that the first octets of a file tell; `nil` where they do not. An error of the API
    /// of RIPE Atlas is of the format of its results.
    package static func recognised(in beginning: [UInt8]) -> SamplesFormat? {
        let text = beginning.drop { JSONScanner.isSpace($0) || "\u{feff}".utf8.contains($0) }
        switch text.first {
        case UInt8(ascii: "["): return .atlas
        case UInt8(ascii: "{"):
            func has(_ key: String) -> Bool {
                text.firstRange(of: Array("\"\(key)\"".utf8)) != nil
            }
            if atlasKeys.contains(where: has) { return .atlas }
            let isError =
                AtlasKeys.errorKeys.contains(where: has) && !has(SampleColumn.outcome.title)
            return isError ? .atlas : .jsonLines
        default: return nil
        }
    }

    /// Some of these are among the first of any result, and no column is called so.
    private static let atlasKeys = ["msm_id", "prb_id", "resultset", "abuf", "dst_addr"]
}

/// The columns of a samples file, in their order. They are never changed, only added to.
/// The number of each is its place in a row.
enum SampleColumn: Int, CaseIterable {
    case run, round, scheduled, sent, vantage, resolver, endpoint, transport, series, name, type
    case outcome, responseCode, roundTrip, connect, handshake, udp, ttl, answers, size, lateness
    case clock, timeout, cache, site, extendedErrors, connection, detail, flags, marks, origin
    case networkRTT, edge, warmupHits, warmupMisses, warmupMissTime, cause, causeValue

    private static let columns = Dictionary(
        uniqueKeysWithValues: zip(declarations.map(\.key), allCases)
    )

    init?(title: String) {
        guard let column = Self.columns[title] else { return nil }
        self = column
    }

    var title: String { Self.declarations[rawValue].key }

    /// Whether the cell is free text, which a spreadsheet might take for a formula.
    var isText: Bool {
        switch self {
        case .run, .vantage, .resolver, .endpoint, .transport, .name, .site, .extendedErrors,
            .detail, .causeValue:
            true
        default: false
        }
    }

    /// Whether the cell is a number of milliseconds.
    var isTime: Bool { Self.declarations[rawValue].unit == .milliseconds }

    /// Without these a row says nothing.
    static let required: [SampleColumn] = [.resolver, .name, .outcome]
}

/// A fault of a samples file, and its place.
package struct SamplesError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus { .badData }
    package var file: String
    /// Counts from 1.
    package var line: Int
    /// The name of the column; `nil` where the whole line is meant.
    package var column: String?
    package var reason: String
    /// Where in the file it is, or what has it begins, counting octets from 1; for formats whose
    /// lines may be as long as the file.
    package var octet: Int?

    package var description: String {
        let place = octet.map { ", octet \($0)" } ?? ""
        return "\(file), line \(line)\(place)\(column.map { ", column \($0)" } ?? ""): \(reason)"
    }
}
