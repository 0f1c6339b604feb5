import ArgumentParser

/// How encrypted connections are made, and whom they trust.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Over TLS: measure queries on a connection that is kept (reuse), first queries of fresh \
            ones, or of ones that resume the session before. (default: both, reuse and fresh)
            """,
            valueName: "policy"
        ),
        completion: .list(["fresh", "reuse", "resume"])
    )
    var connections: String?

    @Option(
        name: .customLong("http-method"),
        help: ArgumentHelp(
            "Over HTTPS: post queries, or get them by their URL. (default: post)",
            valueName: "method"
        ),
        completion: .list(["post", "get"])
    )
    var httpMethod: String?

    @Option(
        help: ArgumentHelp(
            """
            Ask this resolver, over UDP, for the addresses of host names as in tls://dns.example; \
            once, before anything is timed. (default: the system)
            """,
            valueName: "address"
        )
    )
    var bootstrap: String?

    @OptionGroup var authority: AuthorityOption

    @Option(
        name: .customLong("pin"),
        help: ArgumentHelp(
            "The SHA-256 of a key that certificates must have (SPKI, base64); repeatable.",
            valueName: "base64"
        )
    )
    var pins: [String] = []

    @Flag(help: "Do not verify certificates: anybody may answer, and each result says so.")
    var insecure = false
}
