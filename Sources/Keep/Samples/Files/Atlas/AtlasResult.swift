import Catalogue
import DNSWire

/// One query of a probe, as far as the keys of a RIPE Atlas result tell of it
/// ([result format](https://atlas.ripe.net/docs/apis/measurement-result-format/)).
struct AtlasResult {
    /// Times and counts of an answer, without what its message says.
    struct Answer {
        /// `rt`, in nanoseconds: from the query to the answer; over TCP from the beginning of the
        /// connection, with the handshake of TLS (`tcp_beforeconnect` of the probe's evtdns.c).
        var total: Int64?
        /// `qt`, in nanoseconds: over TCP from the query, on the connection that stood then. Newer
        /// probes alone have it.
        var query: Int64?
        var records: Int64?
        /// In octets.
        var size: Int64?
    }

    /// Why there is no answer.
    struct Failure {
        /// The key of `error`.
        var key: String
        var reason: String
        /// How long the probe waited, in nanoseconds; `nil` where that is not the reason.
        var timeout: Int64?
    }

    var measurement: Int64?
    var group: Int64?
    var probe: Int64?
    /// When the probe began, in seconds since 1970.
    var timestamp: Int64
    /// When it sent the query, in seconds since 1970.
    var time: Int64
    /// Which of its own resolvers the probe asked, from 1; `nil` of one that the measurement names.
    var ownResolver: Int64?
    /// The resolver's name, where that is not its address.
    var host: String?
    var address: String?
    var port: UInt16?
    var isTCP = false
    /// Whether the result names a version of TLS.
    var isEncrypted = false
    /// How often the probe asked again; the times are of the last try.
    var retries: Int64?
    var answer: Answer?
    var failure: Failure?
}

extension AtlasResult {
    /// The timeout of a probe where its measurement does not set one, in nanoseconds. Only a query that
    /// timed out tells another, and it is of one run with those that did not.
    static let usualTimeout: Int64 = 5_000_000_000

    /// TLS and HTTPS are TCP to a probe: their ports tell them, and the version of TLS.
    var transport: TransportKind {
        guard isTCP else { return .udp }
        if port == TransportKind.https.usualPort { return .https }
        return isEncrypted || port == TransportKind.tls.usualPort ? .tls : .tcp
    }

    /// The probe opens a connection for each query over TCP.
    var series: Series { isTCP ? .first : .cached }

    var run: String? {
        measurement.map { "atlas-\($0)" + (group.map { "-group-\($0)" } ?? "") }
    }

    var vantage: String? { probe.map { "probe-\($0)" } }

    /// The minutes since 2010 began, when there was no probe yet: a file tells no number, and any
    /// part of it has to tell the same.
    var round: Int32 {
        Int32(clamping: max(0, timestamp.dividedDown(by: 60) - 21_038_400 + 1))
    }

    /// A probe's own resolvers are called as those of a system are.
    var label: String? {
        if let ownResolver { return ownResolver == 1 ? "system" : "system-\(ownResolver)" }
        return host ?? address
    }

    /// With the usual port where none is told.
    var endpoint: String? {
        address.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return "\(host):\(port ?? transport.usualPort)"
        }
    }

    var outcome: Outcome {
        guard answer == nil, let failure else { return .answered }
        switch failure.key {
        case "timeout": return .timeout
        // This program writes a query that it did not send as `blocked`; a probe that refuses an
        // address says nothing of the networks that this program may send to.
        case "TU_BAD_ADDR": return failure.reason == "blocked" ? .blocked : .unreachable
        case "nameserver": return .offline
        case "idmismatch", "TCPREADSIZE", "error": return .malformed
        default: return .unreachable
        }
    }

    /// The cause that the key of an error tells.
    var cause: FailureCause? {
        guard answer == nil, let failure else { return nil }
        switch failure.key {
        case "idmismatch": return FailureCause(.message, "has another ID")
        case "TCPREADSIZE": return FailureCause(.message, "is cut short")
        default: return nil
        }
    }

    /// The time from the query to the answer, in nanoseconds, or to that from the beginning of the
    /// connection where nothing else is told.
    var roundTrip: Int64? { answer?.query ?? answer?.total }

    /// The time that the query waited for its connection, in nanoseconds.
    var connect: Int64? {
        guard isTCP, let total = answer?.total, let query = answer?.query, query <= total else {
            return nil
        }
        return total - query
    }

    /// Puts what the keys tell into the cells of a row.
    func fill(_ cells: inout SampleCells) {
        cells.set(.run, to: run)
        cells.set(.round, to: "\(round)")
        cells.set(.scheduled, toSecond: timestamp)
        if outcome.wasSent { cells.set(.sent, toSecond: time) }
        cells.set(.vantage, to: vantage)
        cells.set(.resolver, to: label)
        cells.set(.endpoint, to: endpoint)
        cells.set(.transport, to: transport.rawValue)
        cells.set(.series, to: series.description)
        cells.set(.outcome, to: outcome.description)
        cells.set(.roundTrip, toMilliseconds: roundTrip)
        cells.set(.connect, toMilliseconds: connect)
        cells.set(.answers, to: answer?.records.map(String.init))
        cells.set(.size, to: answer?.size.map(String.init))
        cells.set(.lateness, toMilliseconds: 0)
        // Both times are of the probe's process.
        cells.set(.clock, to: ClockSource.user.description)
        cells.set(.timeout, toMilliseconds: Self.usualTimeout)
        if isTCP { cells.set(.connection, to: ConnectionUse.new.description) }
        cells.set(.flags, to: "")
        cells.set(.origin, to: Run.Origin.imported.description)
    }
}

extension SampleCells {
    mutating func set(_ column: SampleColumn, to text: String?) {
        guard let text else { return }
        append(text.utf8)
        endCell(of: column)
    }

    mutating func set(_ column: SampleColumn, toMilliseconds nanoseconds: Int64?) {
        guard let nanoseconds else { return }
        var text: [UInt8] = []
        text.append(milliseconds: nanoseconds)
        append(text)
        endCell(of: column)
    }

    fileprivate mutating func set(_ column: SampleColumn, toSecond second: Int64) {
        let (nanoseconds, overflow) = second.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return }
        set(column, to: Timestamp(nanoseconds: nanoseconds).description)
    }
}
