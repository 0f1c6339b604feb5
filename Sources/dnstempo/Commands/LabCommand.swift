import ArgumentParser
import Catalogue
import Lab
import Processes
import Reports
import Runs

struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Run simulated resolvers on loopback until Ctrl-C.",
        discussion: """
            Each resolver has the delay, cache, packet loss and faults of its profile. Use them to \
            verify the results of a tool.

            Examples:
              dnstempo lab                     the default profile
              dnstempo lab hostile --port 5300
              dnstempo lab my-profile.toml
            """
    )

    @Argument(
        help: "A bundled profile (default, hostile) or a TOML file.",
        completion: .file(orWords: LabProfile.bundledNames, suffix: ".toml")
    )
    var profile = LabChoice.standard

    @Option(help: "Port of the first resolver; the others follow. (default: free ports)")
    var port: UInt16?

    @Option(help: "Seed of delays and faults. (default: the profile's)")
    var seed: UInt64?

    @Flag(name: .customShort("6"), help: "Listen on ::1 instead of 127.0.0.1.")
    var v6 = false

    func run() async throws {
        let profile = try LabProfile(profile)
        let session = try LabSession(profile, families: v6 ? [.v6] : [], seed: seed, basePort: port)
        let rows = zip(session.resolvers, profile.resolvers).map { resolver, described in
            let median = described.expectedMedian.map(Self.milliseconds) ?? "none"
            let note = resolver.label == profile.baseline ? "  (current resolver)" : ""
            return [resolver.label, "\(resolver.endpoint)", median + note]
        }
        var table = Table(["resolver", "address", "median"], rows)
        (table.columns[0].least, table.columns[1].least) = (10, 20)
        try Terminal.output.write(table.text())
        let (forever, end) = AsyncStream<Void>.makeStream()
        _ = await Signals.whileRunning { Task { for await _ in forever {} } }
        end.finish()
        session.stop()
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(0.1)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

enum LabChoice {
    static let standard = "default"

    static func isProfile(_ word: String) -> Bool {
        LabProfile.bundledNames.contains(word) || word.hasSuffix(".toml")
    }
}
