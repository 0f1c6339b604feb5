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
        ]
    )
}
