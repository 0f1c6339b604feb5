/// How a samples file is written: a row a query, in the order of sending.
public enum SamplesFormat: String, Hashable, Sendable, CaseIterable {
    /// A header and comma-separated cells (RFC 4180, with line feeds), empty for what is unknown.
    case csv
    /// An object a line, the same names as keys, `null` for what is unknown.
    case jsonLines = "jsonl"
}

/// The columns of a samples file, in their order. They are never changed, only added to.
enum SampleColumn: String, CaseIterable {
    case run, round, scheduled, sent, vantage, resolver, endpoint, transport, series, name, type
    case outcome
    case responseCode = "rcode"
    case roundTrip = "rtt_ms"
    case connect = "connect_ms"
    case handshake = "handshake_ms"
    case udp = "udp_ms"
    case ttl, answers
    case size = "bytes"
    case lateness = "late_ms"
    case clock
    case timeout = "timeout_ms"
    case cache, site
    case extendedErrors = "ede"
    case connection, detail

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

    /// Where it stands among all columns, from 0.
    var position: Int { Self.positions[self] ?? 0 }

    private static let positions = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) }
    )
}

/// What is wrong with a samples file, and where.
public struct SamplesError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// Counts from 1.
    public var line: Int
    /// The name of the column; `nil` where the whole line is meant.
    public var column: String?
    public var reason: String

    public init(file: String, line: Int, column: String? = nil, reason: String) {
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
    }

    public var description: String {
        "\(file), line \(line)\(column.map { ", column \($0)" } ?? ""): \(reason)"
    }
}
