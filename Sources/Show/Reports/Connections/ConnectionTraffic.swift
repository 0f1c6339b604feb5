package import Samples
import Statistics

/// The traffic of a client, for which the cost of connections is computed.
package enum ConnectionTraffic: Sendable {
    /// Poisson traffic with this number of queries per hour.
    case rate(Double)
    case pattern(QueryPattern)

    /// The share of queries that open a connection if the server closes connections after `timeout` seconds.
    func share(timeout: Double) -> Double {
        switch self {
        case .rate(let perHour):
            ConnectionShare.ofPoisson(rate: perHour / 3600, timeout: timeout)
        case .pattern(let pattern):
            ConnectionShare.ofPattern(pattern.times, timeout: timeout) ?? 1
        }
    }

    /// The same traffic without the label of the resolver that a file names.
    package var withoutResolver: ConnectionTraffic {
        guard case .pattern(var pattern) = self else { return self }
        pattern.resolver = nil
        return .pattern(pattern)
    }

    /// The head of a column, such as `20/h`.
    var head: String {
        switch self {
        case .rate(let perHour): perHour.fixed(least: 0, most: 2).grouped + "/h"
        case .pattern: "pattern"
        }
    }

    /// The beginning of a sentence, such as `At 20 queries per hour`.
    var condition: String {
        switch self {
        case .rate(let perHour):
            "At \(perHour.fixed(least: 0, most: 2).grouped) "
                + (perHour == 1 ? "query per hour" : "queries per hour")
        case .pattern: "At the times of the pattern"
        }
    }

    var queriesPerHour: Double? {
        if case .rate(let perHour) = self { perHour } else { nil }
    }
}

/// The cost of the connections of one resolver over one transport, for one kind of traffic.
struct ConnectionCost: Sendable {
    let reading: ConnectionReading
    let traffic: ConnectionTraffic

    /// The share of queries that open a connection; `nil` if the idle timeout is unknown.
    var share: Double? {
        let timeout = reading.idle.timeout ?? (reading.idle.lower > 0 ? reading.idle.lower : nil)
        return timeout.map(traffic.share)
    }

    /// Whether the share is an upper limit, because the server kept the connection for all gaps.
    var isLimit: Bool { share != nil && reading.idle.timeout == nil }

    /// The mean added time of a query, in milliseconds, if connections are opened without a ticket.
    var added: Double? { added(reading.newOpenings) }
    /// The mean added time, in milliseconds, if connections resume a session.
    var addedResumed: Double? { added(reading.resumedOpenings) }

    private func added(_ openings: OpeningTimes?) -> Double? {
        share.flatMap { share in openings?.mean.map { $0 * share } }
    }

    /// The share as text, such as `93 %` or `< 0.1 %`.
    private var percent: String {
        guard let share else { return "–" }
        let text = (share * 100).fixed(share < 0.0995 ? 1 : 0)
        return text == "0.0" ? "< 0.1 %" : text + " %"
    }

    /// The share and the mean added time, such as `93 %, 41.0 ms` or `≤ 3.0 %, 1.2 ms`.
    var cell: Table.Cell {
        let time = added.map { ", " + LatencyFormat(fitting: [1]).cell($0) } ?? ""
        let isMost = isLimit && !percent.hasPrefix("<")
        return Table.Cell((isMost ? "≤ " : "") + percent + time, key: added ?? share)
    }

    /// Such as `At 20 queries per hour, 93 % of your queries over TLS to quad9 open a connection; that adds
    /// 41 ms on average.`
    var sentence: String? {
        guard share != nil, let added else { return nil }
        let target = reading.target
        let most = isLimit ? "at most " : ""
        let resumed = addedResumed.map { " (with a ticket \(Self.time($0)))" } ?? ""
        let isTiny = isLimit && percent.hasPrefix("<")
        let share = isTiny ? "less than \(percent.dropFirst(2))" : most + percent
        return
            "\(traffic.condition), \(share) of your queries over "
            + "\(target.transport.wording) to \(EscapedText.terminal(target.label)) open a connection; "
            + "that adds \(most)\(Self.time(added))\(resumed) on average."
    }

    private static func time(_ milliseconds: Double) -> String {
        milliseconds < 0.0005 ? "0 ms" : LatencyFormat.rounded(milliseconds)
    }
}
