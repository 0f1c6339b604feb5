import Catalogue
import DNSWire
import Statistics

/// One query of a probe, as the keys of a RIPE Atlas result describe it
/// ([result format](https://atlas.ripe.net/docs/apis/measurement-result-format/)).
struct AtlasResult {
    /// Times and counts of an answer, without the content of its message.
    struct Answer {
        /// The key `rt`, in nanoseconds: the time from the query to the answer. Over TCP it starts with the
        /// connection, and includes the TLS handshake (`tcp_beforeconnect` in the probe's evtdns.c).
        var total: Int64?
        /// The key `qt`, in nanoseconds: over TCP, the time from the query to the answer on the open
        /// connection. Only newer probes report it.
        var query: Int64?
        var records: Int64?
        /// The size in bytes.
        var size: Int64?
    }

    /// The reason why there is no answer.
    struct Failure {
        /// The key within `error`.
        var key: String
        var reason: String
        /// The probe's waiting time in nanoseconds; `nil` if the failure is not a timeout.
        var timeout: Int64?
    }

    var measurement: Int64?
    var group: Int64?
    var probe: Int64?
    /// The time at which the probe began, in seconds since 1970.
    var timestamp: Int64
    /// The time at which the probe sent the query, in seconds since 1970.
    var time: Int64
    /// The number of the queried resolver among the probe's own resolvers, from 1; `nil` if the measurement
    /// names the resolver.
    var ownResolver: Int64?
    /// The resolver's host name; `nil` if the result names only the address.
    var host: String?
    var address: String?
    var port: UInt16?
    var isTCP = false
    /// Whether the result names a TLS version.
    var isEncrypted = false
    /// The number of retries. The times belong to the last attempt.
    var retries: Int64?
    var answer: Answer?
    var failure: Failure?
}

extension AtlasResult {
    /// A probe's timeout in nanoseconds, if the measurement does not set one. Only a query that timed out
    /// reports its timeout. The other queries belong to the same run, and report none.
    static let usualTimeout: Int64 = 5_000_000_000

    /// The transport. For a probe, TLS and HTTPS are TCP. They are recognised by the port and by the TLS
    /// version.
    var transport: TransportKind {
        guard isTCP else { return .udp }
        if port == TransportKind.https.usualPort { return .https }
        return isEncrypted || port == TransportKind.tls.usualPort ? .tls : .tcp
    }

    /// The series. The probe opens a new connection for each query over TCP.
    var series: Series { isTCP ? .first : .cached }

    var run: String? {
        measurement.map { "atlas-\($0)" + (group.map { "-group-\($0)" } ?? "") }
    }

    var vantage: String? { probe.map { "probe-\($0)" } }

    /// The number of the round: minutes since the beginning of 2010, when no probe existed. A file contains
    /// no round number, and any part of a file must yield the same number.
    var round: Int32 {
        Int32(clamping: max(0, timestamp.dividedDown(by: 60) - 21_038_400 + 1))
    }

    /// The resolver's label. A probe's own resolvers have the same labels as the resolvers of a system.
    var label: String? {
        if let ownResolver { return ownResolver == 1 ? "system" : "system-\(ownResolver)" }
        return host ?? address
    }

    /// The endpoint, with the default port of its transport if the result contains no port.
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
        // This program writes `blocked` for a query that it did not send. If a probe rejects an address, this
        // is unrelated to the networks that this program may send to.
        case "TU_BAD_ADDR": return failure.reason == "blocked" ? .blocked : .unreachable
        case "nameserver": return .offline
        case "idmismatch", "TCPREADSIZE", "error": return .malformed
        default: return .unreachable
        }
    }

    /// The cause that the error's key identifies.
    var cause: FailureCause? {
        guard answer == nil, let failure else { return nil }
        switch failure.key {
        case "idmismatch": return FailureCause(.message, "has another ID")
        case "TCPREADSIZE": return FailureCause(.message, "is cut short")
        default: return nil
        }
    }

    /// The time from the query to the answer, in nanoseconds. If only the total is known, it starts with the
    /// connection.
    var roundTrip: Int64? { answer?.query ?? answer?.total }

    /// The time in nanoseconds for which the query waited for its connection.
    var connect: Int64? {
        guard isTCP, let total = answer?.total, let query = answer?.query, query <= total else {
            return nil
        }
        return total - query
    }

    /// Sets the cells of a row from the keys.
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
        // Both times come from the probe's process.
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
