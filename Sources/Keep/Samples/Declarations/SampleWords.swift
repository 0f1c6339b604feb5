import DNSWire

/// The words of samples files, with their meanings.
package struct SampleWords: Sendable {
    /// The name of the column.
    package let column: String
    package let meanings: [(word: String, meaning: String)]

    private init<Word: NamedCase>(_ column: String, _ meaning: (Word) -> String) {
        self.column = column
        meanings = Word.allCases.map { ($0.description, meaning($0)) }
    }

    private init<Words: NamedOptions>(_ column: String, _ meaning: (Words) -> String) {
        self.column = column
        meanings = Words.words.map { ($0.1, meaning($0.0)) }
    }

    package static let all = [
        SampleWords("series", series), SampleWords("outcome", outcome), SampleWords("clock", clock),
        SampleWords("cache", cache), SampleWords("connection", connection),
        SampleWords("flags", flag), SampleWords("round_marks", mark), SampleWords("origin", origin),
        SampleWords(cause: FailureCause.Kind.allCases),
    ]

    private init(cause kinds: [FailureCause.Kind]) {
        column = "cause"
        meanings = kinds.map { ($0.rawValue, Self.cause($0)) }
    }

    private static func series(_ series: Series) -> String {
        switch series {
        case .cached: "A name that the resolver has in its cache, on an open connection."
        case .uncached: "A random name under a zone, which is in no cache."
        case .first: "A cached name on an encrypted connection that is opened for the query."
        case .asFound: "A name that is asked once, whether it is in the cache or not."
        case .browser: "A name as a browser asks for it: A, HTTPS and perhaps AAAA together."
        case .loaded: "A cached name while the user's own load fills the line."
        case .loadedMarked: "The same, and the packets of the queries have a DSCP."
        }
    }

    private static func outcome(_ outcome: Outcome) -> String {
        switch outcome {
        case .answered: "NOERROR, NXDOMAIN, or the response code that `[[expect]]` names."
        case .failed: "Another response code."
        case .timeout: "No response before the timeout."
        case .unreachable: "An ICMP error, a refused connection, or no route to this resolver."
        case .malformed: "A response that is not a valid DNS message, or truncated over TCP."
        case .filtered: "An answer that blocks the name."
        case .offline: "No query of the round had a route; not sent."
        case .blocked: "The address is outside the allowed networks; not sent."
        case .wrong: "An answer that is not as `--expect` or `[[expect]]` says."
        }
    }

    private static func clock(_ clock: ClockSource) -> String {
        switch clock {
        case .kernel: "The kernel stamped the query and the response."
        case .kernelReceive: "The kernel stamped the response, the program the query."
        case .user: "The program stamped both."
        }
    }

    private static func cache(_ state: CacheState) -> String {
        switch state {
        case .hit: "The TTL shows that the name was in the cache."
        case .miss: "The TTL shows that the name was not in the cache."
        }
    }

    private static func connection(_ use: ConnectionUse) -> String {
        switch use {
        case .new: "Opened for the query."
        case .reused: "Open before the query."
        case .resumed: "Opened for the query, with a resumed session."
        case .early: "Opened for the query, which was sent as early data (0-RTT)."
        }
    }

    private static func flag(_ flag: SampleFlags) -> String {
        switch flag {
        case .unverified: "No certificate was verified."
        case .strays: "Other messages arrived during the wait."
        case .clockStep: "The system clock was set during the query."
        case .slept: "The machine was suspended; in files of older versions."
        case .noEvidence: "The query is not in the evidence."
        case .tampering: "The resolver was seen to change answers."
        case .caseChanged: "The response has the name in other letter case."
        case .trailingBytes: "The response has bytes after its last record."
        case .earlyRefused: "The server refused the early data, so the query was sent again."
        case .negative: "Series `browser`: a response to A or AAAA without an address."
        default: ""
        }
    }

    private static func mark(_ mark: RoundMarks) -> String {
        switch mark {
        case .offline: "No query of the round had a route; the round counts in no figure."
        case .outage:
            "All queries to at least three addresses in two networks timed out, and no "
                + "remote resolver answered or failed otherwise. Also an offline round with a "
                + "query to this machine. Counts in no figure."
        case .suspended: "The machine was suspended during the round; counts in no figure."
        case .again: "The names had been asked before; counts in no figure."
        default: ""
        }
    }

    private static func origin(_ origin: Run.Origin) -> String {
        switch origin {
        case .sample: "Measured by `dnstempo sample`."
        case .watch: "Measured by `dnstempo watch`."
        case .compare: "Measured by `dnstempo compare`."
        case .imported: "Imported from a file that does not say."
        }
    }

    private static func cause(_ kind: FailureCause.Kind) -> String {
        switch kind {
        case .httpStatus:
            "HTTP status without an answer. Value: the status and its header field, as in "
                + "`301 /there` (Location), `405 GET` (Allow), `429 30` (Retry-After), or the first "
                + "words of the page."
        case .contentType:
            "HTTP answer that is not a DNS message. Value: its content type, and the first words of the "
                + "page."
        case .edns: "FORMERR or NOTIMP to a query with EDNS, in a response without EDNS."
        case .ednsVersion: "Response code BADVERS."
        case .otherSource: "Answers from another address or port. Value: that address and port."
        case .noTCP: "The answer over UDP is truncated, and TCP failed. Value: how it failed."
        case .cookie: "Responses with another cookie than the query."
        case .certificate: "The certificate is not trusted. Value: the reason."
        case .handshake: "The handshake of the encryption failed. Value: the reason."
        case .refused: "The port of the server refused the connection."
        case .alpn: "The server does not speak the protocol. Value: the reason."
        case .silence:
            "No response to an attempt to connect. Value: the step, `connection` or `handshake`."
        case .mtu:
            "The path loses large packets of the handshake. Value: the largest IP packet that arrived, "
                + "in bytes."
        case .connection: "The connection was closed or broke its protocol. Value: the fault."
        case .message: "The response is not a valid DNS message. Value: the fault."
        }
    }
}
