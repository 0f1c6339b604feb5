import ArgumentParser

/// How encrypted connections are made, and whom they trust.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Over TLS: reuse a connection, open a fresh one for each query, or resume the session \
            before. (default: reuse)
            """,
            valueName: "policy"
        ),
        completion: .list(["fresh", "reuse", "resume"])
    )
    var connections: String?

    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp(
            "Trust the certificates signed by those in this file. (default: the system's)",
            valueName: "file"
        ),
        completion: .file(extensions: ["pem", "crt"])
    )
    var authority: String?

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
