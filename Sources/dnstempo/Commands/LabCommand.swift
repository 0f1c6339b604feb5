import ArgumentParser
import Catalogue
import Lab
import Reports

struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Run simulated resolvers on loopback until Ctrl-C.",
        discussion: """
            Each has the delay, cache, packet loss and faults of its profile, to verify what a \
            tool measures.

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
        var lines = ["resolver    address               median"]
        for (resolver, described) in zip(session.resolvers, profile.resolvers) {
            let median = described.expectedMedian.map(Self.milliseconds) ?? "none"
            let note = resolver.label == profile.baseline ? "  (current resolver)" : ""
            let cells = [
                resolver.label.padded(to: 11), "\(resolver.endpoint)".padded(to: 21), median + note,
            ]
            lines.append(cells.joined(separator: " "))
        }
        try Terminal.output.write(lines.joined(separator: "\n") + "\n")
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

/// Simulated resolvers that answer as long as this is held, and how to ask them.
struct LabSession {
    /// In the profile's order; where both families are wanted, one after the other.
    let resolvers: [Resolver]
    let baseline: String?
    private let laboratory: Laboratory

    init(
        _ profile: LabProfile,
        families: Set<IPAddress.Family> = [],
        seed: UInt64? = nil,
        basePort: UInt16? = nil
    ) throws {
        laboratory = Laboratory(
            profile.resolvers,
            seed: seed ?? profile.seed ?? 0,
            families: families == [.v6] ? [.v6] : families.count == 2 ? [.v4, .v6] : [.v4],
            basePort: basePort
        )
        let places = try laboratory.start()
        resolvers = places.compactMap { place in
            IPAddress(octets: place.octets).map { address in
                Resolver(
                    label: families.count == 2 ? "\(place.name)@\(address)" : place.name,
                    endpoint: Endpoint(transport: .udp, address: address, port: place.port),
                    origin: .lab
                )
            }
        }
        baseline = profile.baseline
    }

    func resolvers(named name: String) -> [Resolver] {
        resolvers.filter { $0.label == name || $0.label.hasPrefix("\(name)@") }
    }

    func stop() { laboratory.stop() }
}
