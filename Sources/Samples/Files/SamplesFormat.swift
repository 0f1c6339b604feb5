/// How a samples file is written: a row a query, in the order of sending.
package enum SamplesFormat: String, Hashable, Sendable, CaseIterable {
    /// A header and comma-separated cells (RFC 4180, with line feeds), empty for what is unknown.
    case csv
    /// An object a line, the same names as keys, `null` for what is unknown.
    case jsonLines = "jsonl"
}

/// The columns of a samples file, in their order. They are never changed, only added to.
/// The number of each is its place in a row.
enum SampleColumn: Int, CaseIterable {
    case run, round, scheduled, sent, vantage, resolver, endpoint, transport, series, name, type
    case outcome, responseCode, roundTrip, connect, handshake, udp, ttl, answers, size, lateness
    case clock, timeout, cache, site, extendedErrors, connection, detail, flags, marks, origin
    case networkRTT, edge, warmupHits, warmupMisses, warmupMissTime

    private static let titles = [
        "run", "round", "scheduled", "sent", "vantage", "resolver", "endpoint", "transport",
        "series", "name", "type", "outcome", "rcode", "rtt_ms", "connect_ms", "handshake_ms",
        "udp_ms", "ttl", "answers", "bytes", "late_ms", "clock", "timeout_ms", "cache", "site",
        "ede", "connection", "detail", "flags", "round_marks", "origin",
        "network_rtt_ms", "edge_ms", "warmup_hits", "warmup_misses", "warmup_miss_ms",
    ]
    private static let columns = Dictionary(uniqueKeysWithValues: zip(titles, allCases))

    init?(title: String) {
        guard let column = Self.columns[title] else { return nil }
        self = column
    }

    var title: String { Self.titles[rawValue] }

    /// Whether the cell is free text, which a spreadsheet might take for a formula.
    var isText: Bool {
        switch self {
        case .run, .vantage, .resolver, .endpoint, .transport, .name, .site, .extendedErrors,
            .detail:
            true
        default: false
        }
    }

    /// Without these a row says nothing.
    static let required: [SampleColumn] = [.resolver, .name, .outcome]
}

/// A fault of a samples file, and its place.
package struct SamplesError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// Counts from 1.
    package var line: Int
    /// The name of the column; `nil` where the whole line is meant.
    package var column: String?
    package var reason: String

    package var description: String {
        "\(file), line \(line)\(column.map { ", column \($0)" } ?? ""): \(reason)"
    }
}
