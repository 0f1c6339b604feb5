import Catalogue
import DNSWire

extension SampleColumn {
    private static let isUnsent = "the query was not sent"
    private static let hasNoAnswer = "there is no answer"
    private static let isKept = "the query used an open connection, or the transport has none"
    private static let isLater = "this is not the first query of a round of `sample` or `watch`"
    private static let isUncounted =
        "this is not the first query of a round of `sample` or `watch`, or the round has no tally"

    private static let isUnweighed =
        "the run has no `--wire`, there is no response, the system does not report it, or another query "
        + "used the connection at the same time"

    /// The definitions of the columns, in their order.
    static let declarations: [Declaration] = asked + result + details + measurement

    private static let asked: [Declaration] = [
        Declaration("run", .text, null: "unknown", "Identifier of the run."),
        Declaration("round", .count, "Number of the round within the run, from 1."),
        Declaration("scheduled", .moment, "Time at which the query was planned to be sent."),
        Declaration("sent", .moment, null: isUnsent, "Time at which the query left."),
        Declaration("vantage", .text, null: "unknown", "Name of the vantage point."),
        Declaration("resolver", .text, "Label of the resolver."),
        Declaration(
            "endpoint",
            .text,
            null: "unknown",
            "Address, address and port, or URL; IPv6 as in RFC 5952, in other spellings too when read."
        ),
        Declaration("transport", .text, "`udp`, `tcp`, `tls`, `https`, `h3` or `quic`."),
        Declaration("series", .word(Series.self), "Kind of query."),
        Declaration("name", .text, "Name that was asked for."),
        Declaration("type", .text, "Type of record, such as `A`."),
    ]

    private static let result: [Declaration] = [
        Declaration("outcome", .word(Outcome.self), "Outcome of the query."),
        Declaration("rcode", .text, null: "there is no response", "Response code."),
        Declaration(
            "rtt_ms",
            .number,
            unit: .milliseconds,
            null: "there is no response",
            "Round trip, from the query until the response."
        ),
        Declaration(
            "connect_ms",
            .number,
            unit: .milliseconds,
            null: isKept,
            "Time of the TCP connect."
        ),
        Declaration(
            "handshake_ms",
            .number,
            unit: .milliseconds,
            null: isKept,
            "Time of the encryption's handshake."
        ),
        Declaration(
            "udp_ms",
            .number,
            unit: .milliseconds,
            null: "the answer over UDP was not truncated",
            "Round trip of the truncated answer, before the query over TCP."
        ),
        Declaration("ttl", .count, unit: .seconds, null: hasNoAnswer, "Least TTL of the answer."),
        Declaration("answers", .count, null: hasNoAnswer, "Records in the answer section."),
        Declaration("bytes", .count, unit: .bytes, null: hasNoAnswer, "Size of the response."),
    ]

    private static let details: [Declaration] = [
        Declaration(
            "late_ms",
            .number,
            unit: .milliseconds,
            null: isUnsent,
            "How much later than scheduled the query left."
        ),
        Declaration("clock", .word(ClockSource.self), null: "unknown", "Clock of the round trip."),
        Declaration(
            "timeout_ms",
            .number,
            unit: .milliseconds,
            "Timeout of the query; 5 s in a file without this column."
        ),
        Declaration(
            "cache",
            .word(CacheState.self),
            null: "unknown",
            "Whether the name was in the cache."
        ),
        Declaration("site", .text, null: "no answer names it", "Site that answered (NSID)."),
        Declaration(
            "ede",
            .text,
            null: "the response has no extended error",
            "Extended DNS errors (RFC 8914)."
        ),
        Declaration(
            "connection",
            .word(ConnectionUse.self),
            null: "the transport has none",
            "Use of the connection."
        ),
        Declaration(
            "detail",
            .text,
            null: "the query has no detail",
            "Details, for a reader; the flags of a file without `flags` are read from it."
        ),
        Declaration("flags", .text, null: "the query has no flag", "Words of the table of flags."),
        Declaration(
            "round_marks",
            .text,
            null: "the round has no mark",
            "Words of the table of marks; computed from the samples of a file without this column."
        ),
        Declaration("origin", .word(Run.Origin.self), "Purpose of the round."),
    ]

    private static let measurement: [Declaration] = [
        Declaration(
            "network_rtt_ms",
            .number,
            unit: .milliseconds,
            null: isLater,
            "Time of a TCP handshake with the address, during the round."
        ),
        Declaration(
            "edge_ms",
            .number,
            unit: .milliseconds,
            null: "`--connect` did not try it",
            "Time of a TCP connect to the first address of the answer; 250 at most."
        ),
        Declaration(
            "warmup_hits",
            .count,
            null: isUncounted,
            "Names that the warm-up found in the cache. A tally needs five names, and more than half of "
                + "them clear. All transports of a resolver have the same tally."
        ),
        Declaration(
            "warmup_misses",
            .count,
            null: isUncounted,
            "Names that it did not find there."
        ),
        Declaration(
            "warmup_miss_ms",
            .number,
            unit: .milliseconds,
            null: isUncounted,
            "Median round trip of the misses."
        ),
        Declaration(
            "cause",
            .word(FailureCause.Kind.self),
            null: "unknown, or `outcome` and `rcode` say all",
            "Cause of the failure."
        ),
        Declaration(
            "cause_value",
            .text,
            null: "the cause has none",
            "Text of at most 120 characters."
        ),
        Declaration(
            "wire_bytes_out",
            .count,
            unit: .bytes,
            null: isUnweighed,
            "Bytes sent until the answer was read: UDP or TCP headers and data, without IP headers."
        ),
        Declaration(
            "wire_bytes_in",
            .count,
            unit: .bytes,
            null: isUnweighed,
            "Bytes received until then, counted in the same way."
        ),
        Declaration(
            "wire_packets",
            .count,
            null: isUnweighed,
            "Datagrams or TCP segments in both directions until then."
        ),
    ]
}

/// The row of a samples file.
package let sampleForm = ObjectForm("sample", SampleColumn.declarations)
