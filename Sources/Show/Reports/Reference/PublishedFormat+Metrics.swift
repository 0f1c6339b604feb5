extension PublishedFormat {
    /// The metrics, with their kinds and labels.
    package static let metrics = PublishedFormat(
        "metrics",
        title: "Metrics",
        """
        `GET /metrics` of `dnstempo serve` returns the text format of Prometheus (version 0.0.4). \
        `--remote-write` sends the same metrics with Remote-Write 1.0.
        """,
        [
            Part(
                nil,
                (["| metric | kind | labels | meaning |", "|:--|:--|:--|:--|"]
                    + MetricFamily.all.map { family in
                        let labels = family.labels.map { "`\($0)`" }.joined(separator: " ")
                        return "| `\(family.name)` | \(family.kind) | \(labels) | \(family.help) |"
                    }).joined(separator: "\n")
            ),
            Part(
                "Labels",
                """
                | label | value |
                |:--|:--|
                | `resolver` | Label of the resolver. |
                | `endpoint` | Address, address and port, or URL. |
                | `transport` | `udp`, `tcp`, `tls`, `https`, `h3` or `quic`. |
                | `series` | Kind of queries, as in [samples](samples.md). |
                | `vantage` | Name of the vantage point. `GET /metrics` has it only if there are several. |
                | `outcome` | Outcome, as in [samples](samples.md). |
                | `rcode` | Response code, such as `SERVFAIL`. |
                | `phase` | Remote write only: `connect`, `handshake`, `query`, or `total` of the series `first`. |
                | `objective` | The objective, such as `p95 < 50 ms`. |
                """
            ),
            Part(
                "OpenTelemetry",
                """
                `--otlp` sends two metrics for each round (OTLP over HTTP, binary Protobuf). They contain only \
                this round (delta temporality). The resource has `service.name` (`dnstempo`), \
                `service.version` and `dnstempo.vantage`.

                | metric | kind | unit | meaning |
                |:--|:--|:--|:--|
                | `dns.lookup.duration` | exponential histogram | `s` | Time of look-ups, by name and error. A timeout counts as its whole time. |
                | `dnstempo.lookups` | sum | `{lookup}` | Look-ups by outcome, also those without a known time. |

                | attribute | value |
                |:--|:--|
                | `dns.question.name` | Queried name. Uncached names are `*.` and their zone. |
                | `dnstempo.question.type` | Type, such as `A`. |
                | `error.type` | Response code such as `SERVFAIL`, or the outcome, of a failed look-up. Absent for an answer. |
                | `dnstempo.outcome` | Outcome, only of `dnstempo.lookups`. |
                | `dnstempo.resolver`, `dnstempo.endpoint`, `dnstempo.transport`, `dnstempo.series` | As the labels above. |
                | `server.address` | Address of the resolver. |
                """
            ),
        ]
    )
}
