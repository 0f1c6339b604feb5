import Catalogue
import DNSWire
import Samples

/// The most frequent reason of failed queries with a response, and its remedy.
struct FailureReason: Hashable {
    private enum Kind: Hashable {
        case cause(FailureCause)
        case code(String)
        case malformed
    }

    private let kind: Kind
    private let count: Int
    private let queries: Int
    /// The response code of a resolver that does not understand EDNS.
    private let code: String?

    /// Returns `nil` if no failed query had a response.
    init?(of counts: OutcomeCounts) {
        let code = counts.responseCodes.max { ($0.value, $1.key) < ($1.value, $0.key) }
        if let (cause, count) = counts.causes.main, count >= code?.value ?? 0 {
            (kind, self.count) = (.cause(cause), count)
        } else if let code, code.value >= counts[.malformed] {
            (kind, count) = (.code(code.key), code.value)
        } else if counts[.malformed] > 0 {
            (kind, count) = (.malformed, counts[.malformed])
        } else {
            return nil
        }
        queries = counts.measured
        self.code = ["FORMERR", "NOTIMP"].filter { counts.responseCodes[$0] != nil }
            .max { counts.responseCodes[$0] ?? 0 < counts.responseCodes[$1] ?? 0 }
    }

    init?(of row: ResolverSummary) { self.init(of: row.counts) }

    /// Whether the reason is a cause beyond the response code, and has enough queries for a note.
    var isNotable: Bool {
        guard cause != nil else { return false }
        return count == queries || Share(part: count, whole: queries).isHigh
    }

    /// The cause, if the reason has one.
    var cause: FailureCause? {
        guard case .cause(let cause) = kind else { return nil }
        return cause
    }

    /// A text such as `answered HTTP 404 to all 30 queries`.
    var predicate: String {
        switch kind {
        case .cause(let cause): predicate(of: cause)
        case .code(let code): "answered \(EscapedText.terminal(code)) to \(all)"
        case .malformed: "gave invalid responses to \(all)"
        }
    }

    /// A text such as `check the path`.
    var remedy: String {
        switch kind {
        case .cause(let cause): remedy(of: cause)
        case .code("REFUSED"): "check whether it serves this network"
        case .code("SERVFAIL"): "query other names, or repeat it later"
        case .code: "check whether it is a recursive resolver"
        case .malformed: "see the detail of each sample with --samples FILE"
        }
    }

    /// The remedy if UDP to the same address was answered.
    fileprivate var remedyOfBlocking: String {
        guard let cause else { return remedy }
        switch cause.kind {
        case .refused:
            return "the resolver does not offer this transport at this port: use another transport"
        case .silence where cause.value != "handshake":
            return "the port is blocked by a network on the way, or by the resolver: use another "
                + "transport or network"
        default: return remedy
        }
    }

    /// A few words for a table, such as `HTTP 404`.
    var label: String {
        switch kind {
        case .cause(let cause): cause.label
        case .code(let code): EscapedText.terminal(code)
        case .malformed: "malformed"
        }
    }

    private var all: String {
        guard count == queries else { return "\(count) of \(queries.of("query", "queries"))" }
        return count == 1 ? "the query" : "all \(count) queries"
    }

    private func predicate(of cause: FailureCause) -> String {
        let value = cause.value.map(EscapedText.terminal)
        let reason = value.map { " (\($0))" } ?? ""
        switch cause.kind {
        case .httpStatus: return "answered \(cause.label) to \(all)\(hint(of: cause))"
        case .contentType:
            let isPage = value?.lowercased().hasPrefix("text/html") == true
            return "answered \(all) with \(isPage ? "a web page" : "no DNS message")\(reason)"
        case .edns:
            let part = count == queries ? "" : " to \(all)"
            let words = [code, part.isEmpty ? nil : all].compactMap(\.self)
            return "does not understand EDNS"
                + (words.isEmpty ? "" : " (\(words.joined(separator: " to ")))")
        case .ednsVersion: return "answered BADVERS to \(all), so it does not understand EDNS"
        case .otherSource:
            return "answered \(all) from \(value ?? "another address") instead of its own address"
        case .noTCP: return "truncated its answers to \(all), and gave none over TCP\(reason)"
        case .cookie: return "answered \(all) with another cookie"
        case .certificate: return "presented a certificate that is not trusted to \(all)\(reason)"
        case .handshake: return "failed the handshake of \(all)\(reason)"
        case .refused: return "refused the connection for \(all)"
        case .alpn: return "rejected the protocol for \(all)\(reason)"
        case .silence where cause.value == "handshake":
            return "accepted the connection for \(all), and did not answer the handshake"
        case .mtu:
            let sizes =
                value.map { ": packets of \($0) bytes arrive, full-sized ones do not" } ?? ""
            return "lost the handshake of \(all) on the path\(sizes)"
        case .silence: return "did not answer the attempt to connect for \(all)"
        case .connection:
            return "gave no whole response to \(all)\(reason)"
        case .message:
            return "gave invalid responses to \(all)" + (value.map { ": the response \($0)" } ?? "")
        }
    }

    private func hint(of cause: FailureCause) -> String {
        guard let hint = cause.httpHint.map(EscapedText.terminal), let status = cause.httpStatus
        else { return "" }
        switch status {
        case 300...399: return ", a redirect to \(hint)"
        case 405: return ", and allows \(hint)"
        case 429, 503:
            let isNumber = hint.allSatisfy { $0.isASCII && $0.isNumber }
            return ", and asks to wait \(isNumber ? "\(hint) s" : "until \(hint)")"
        default: return ": '\(hint)'"
        }
    }

    private func remedy(of cause: FailureCause) -> String {
        switch cause.kind {
        case .httpStatus: Self.remedy(ofHTTP: cause)
        case .contentType:
            "sign in to the network if it has a captive portal, or check the path"
        case .edns: "add --bufsize 0"
        case .ednsVersion: "add --bufsize 0, or --no-nsid where NSID is requested"
        case .otherSource: "query that address, or look for a device that redirects DNS"
        case .noTCP: "allow TCP to its port, or choose a larger --bufsize"
        case .cookie: "leave out --cookie"
        case .certificate:
            "check its name and this machine's clock, or name its authority with --ca"
        case .handshake: "check its port and its transport"
        case .refused: "check its port, or use another transport"
        case .alpn: "use another transport"
        case .silence where cause.value == "handshake":
            "use another transport; the path may drop large packets"
        case .mtu:
            "set the MTU of this machine's interface to \(cause.value ?? "a smaller value"), or limit the "
                + "segment size (MSS) on the router"
        case .silence: "check its port, or use another transport"
        case .connection: "try another transport, or report it to its operator"
        case .message: "see the detail of each sample with --samples FILE"
        }
    }

    private static func remedy(ofHTTP cause: FailureCause) -> String {
        switch cause.httpStatus {
        case (300...399)?: cause.httpHint == nil ? "check the URL" : "use that address"
        case 401?, 403?: "check whether it serves this network"
        case 404?, 410?: "check the path"
        case 405?, 501?:
            cause.httpHint?.uppercased().hasPrefix("POST") == true
                ? "add --http-method post" : "add --http-method get"
        case 413?, 414?: "add --http-method post"
        case 429?: "the server limits the rate of queries; lower it with --rate"
        case (500...599)?: "repeat it later"
        default: "check the URL"
        }
    }
}

extension ResolverSummary {
    fileprivate var isReachedOverUDP: Bool {
        target.transport.kind == .udp && counts.answered > 0
    }
}

extension FailureCause {
    /// A few words for a table.
    var label: String {
        switch kind {
        case .httpStatus: httpStatus.map { "HTTP \($0)" } ?? "HTTP"
        case .contentType: "no DNS message"
        case .edns: "no EDNS"
        case .ednsVersion: "BADVERS"
        case .otherSource: "other source"
        case .noTCP: "no TCP"
        case .cookie: "other cookie"
        case .certificate: "certificate"
        case .handshake: "handshake"
        case .refused: "refused"
        case .alpn: "other protocol"
        case .silence: value == "handshake" ? "no handshake" : "no connection"
        case .mtu: "packet size"
        case .connection: "connection"
        case .message: "malformed"
        }
    }
}

extension [Warning] {
    /// The main cause of each resolver's failures, with the remedy.
    static func causes(of rows: some Sequence<ResolverSummary>) -> [Warning] {
        var all: [String: OutcomeCounts] = [:]
        var names: [String] = []
        for row in rows {
            if all[row.said] == nil { names.append(row.said) }
            all[row.said, default: OutcomeCounts()].merge(row.counts)
        }
        let reasons = names.compactMap { name in
            all[name].flatMap(FailureReason.init).flatMap { $0.isNotable ? (name, $0) : nil }
        }
        let reached = Set(rows.filter(\.isReachedOverUDP).compactMap(\.target.address))
        let addresses = Dictionary(rows.map { ($0.said, $0.target.address) }) { first, _ in first }
        var warnings = reasons.prefix(mostCauses).map { name, reason in
            let isReached = addresses[name].flatMap(\.self).map(reached.contains) ?? false
            let isBlocked = isReached && reason.cause?.isOfConnecting == true
            let contrast = isBlocked ? ", while UDP to the same address was answered" : ""
            return Warning(
                .failureCause,
                "\(name) \(reason.predicate)\(contrast).",
                "\((isBlocked ? reason.remedyOfBlocking : reason.remedy).sentenceStart)."
            )
        }
        let more = reasons.count - warnings.count
        warnings.add(.failureCause, if: more > 0) {
            "\(more.of("more resolver fails", "more resolvers fail")) with a known cause."
        } _: {
            "See the causes in the JSON report."
        }
        return warnings
    }

    private static var mostCauses: Int { 8 }
}

extension ComparisonReport {
    /// The main cause of each resolver's failures, with the remedy. The text is one line without a
    /// final full stop. It is empty without failures.
    package var failureCauses: String {
        String([Warning].causes(of: rows).map(\.text).joined(separator: " ").dropLast())
    }
}

extension FailureCause {
    private static let fields: [Field<FailureCause>] = [
        .word("cause", "Cause of the failure.") { $0.kind },
        .text("value", null: "the cause has none", "Text of the server, or a detail.") { $0.value },
    ]
    static let shape = Shape("cause", fields)
}

extension FailureCauses {
    /// A cause with the number of queries that failed for it.
    static let shape = Shape<(cause: FailureCause, count: Int)>(
        "causes",
        FailureCause.shape.fields.of { $0.cause } + [
            .count("count", "Failed queries with the cause.") { $0.count }
        ]
    )
}
