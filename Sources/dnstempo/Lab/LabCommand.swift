import ArgumentParser
import Catalogue
import Lab

/// Simulated resolvers to try things on.
struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Run simulated resolvers on loopback until Ctrl-C.",
        discussion: """
            Each has a delay, a cache, losses and faults as its profile says, so that what a tool \
            measures can be held against what is known.

            Examples:
              dnstempo lab                     the default profile
              dnstempo lab hostile --port 5300
              dnstempo lab my-profile.toml
            """
    )

    @Argument(help: "A bundled profile (default, hostile) or a TOML file.")
    var profile = LabChoice.standard

    @Option(help: "The first resolver's port; the others follow. (default: free ones)")
    var port: UInt16?

    @Option(help: "Makes delays and faults repeatable. (default: the profile's)")
    var seed: UInt64?

    @Flag(name: .customShort("6"), help: "On ::1 instead of 127.0.0.1.")
    var v6 = false

    func run() async throws {
        let profile = try LabChoice.profile(profile)
        let session = try LabSession(
            profile,
            families: v6 ? [.v6] : [],
            seed: seed,
            basePort: port
        )
        var lines = ["resolver    address               median"]
        for (resolver, described) in zip(session.resolvers, profile.resolvers) {
            let median = Behaviour(described).expectedMedian.map(Self.milliseconds) ?? "none"
            let note = resolver.label == profile.baseline ? "  (in use, says the profile)" : ""
            lines.append(
                Self.padded(resolver.label, 12) + Self.padded(resolver.endpoint.description, 22)
                    + median + note
            )
        }
        try Terminal.output.write(lines.joined(separator: "\n") + "\n")
        let (ended, end) = AsyncStream<Void>.makeStream()
        await Interruption.whileRunning {
            for await _ in ended { break }
        } stop: {
            end.finish()
        }
        session.stop()
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(0.1)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
