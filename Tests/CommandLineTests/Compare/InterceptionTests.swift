import Servers
import Testing

/// Comparisons on a network in which another server may answer instead of the resolvers.
@Suite(.enabled("a network of its own needs permission") { await LoneNetwork.isPermitted })
struct InterceptionTests {
    private static let comparison = [
        "compare", "a=198.51.100.7", "b=198.51.100.8", "-d", "example.com", "--rounds", "1",
        "--no-store",
    ]
    private static let resolvers = ["198.51.100.7", "198.51.100.8"]

    @Test(arguments: ["192.0.2.1", "203.0.113.1"])
    func `no comparison runs if an unused address answers`(nobody: String) async throws {
        let run = try await LoneNetwork.dnstempo(
            Self.comparison,
            servers: Self.resolvers + [nobody]
        )
        #expect(run.code == 69)
        #expect(run.output == "")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("port 53 is intercepted on the way"))
        #expect(run.errors.contains("\(nobody):53 for . SOA: REFUSED"), "\(run.errors)")
        #expect(run.errors.contains("--no-check"))
    }

    @Test(
        arguments: [
            // The unused address is silent.
            ([], []),
            // The unused address may not be queried, so nothing is detected.
            (["--allow-net", "198.51.100.0/24"], ["192.0.2.1"]),
            (["--no-check"], ["192.0.2.1"]),
        ] as [([String], [String])]
    )
    func `a comparison runs if no interception is detected`(
        options: [String],
        nobody: [String]
    ) async throws {
        let run = try await LoneNetwork.dnstempo(
            Self.comparison + options,
            servers: Self.resolvers + nobody
        )
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("1 round"))
    }

    @Test(arguments: [
        [],
        // The interceptor forges answers. The resolvers are not responsible for these answers.
        ["--address=/#/192.0.2.66"],
    ])
    func `a watch reports interception and blames no resolver`(options: [String]) async throws {
        let run = try await LoneNetwork.dnstempo(
            ["watch", "a=198.51.100.7", "b=198.51.100.8", "-d", "example.com", "--rounds", "1"]
                + ["--no-store"],
            servers: Self.resolvers + ["192.0.2.1"],
            options: options
        )
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains(": 2 answered; measured"))
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 1 && run.errors.contains("port 53 is intercepted on the way"))
        #expect(run.errors.hasSuffix("; the rounds go on\n"))
    }

    @Test func `the catalogue's facts about the system's resolver are reported`() async throws {
        let run = try await LoneNetwork.dnstempo(
            ["compare", "system", "other", "-d", "example.com", "--rounds", "8", "--no-store"],
            servers: ["198.51.100.7"],
            others: ["198.51.100.9"],
            nameserver: "198.51.100.9",
            configuration: """
                [[resolver]]
                name = "known"
                address = "198.51.100.9"
                filtering = "malware"
                logging = "yes"

                [[resolver]]
                name = "other"
                address = "198.51.100.7"
                filtering = "none"
                logging = "no"

                """
        )
        #expect(run.code == 0, "\(run.errors)")
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.hasPrefix("Yes, switch to "))
        #expect(words.contains("other blocks nothing, and system blocks malware."), "\(words)")
        #expect(words.contains("other does not log queries, and system logs queries."))
    }
}
