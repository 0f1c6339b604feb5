import ArgumentParser

/// What a comparison measures beside its queries.
struct NearnessOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Measure the way to each resolver alone, by a few TCP handshakes."
    )
    var floor = true

    @Flag(
        inversion: .prefixedNo,
        help: "Look first whether the resolvers, and the way to them, tell the truth."
    )
    var check = true

    @Flag(help: "Connect to the addresses that each resolver answered: are they near?")
    var connect = false

    @Option(help: "The TCP port of --connect.")
    var connectPort: UInt16 = 443
}
