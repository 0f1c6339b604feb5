import Foundation
import Servers
import Testing

/// The choice of addresses to query, from the routes and the configuration files of a machine.
@Suite(.enabled("a network of its own needs permission") { await RoutedNetwork.isPermitted })
struct RouteTests {
    private func run(_ arguments: [String], after command: String) async throws -> CommandOutput {
        let folder = TemporaryFolder()
        try folder.write(
            """
            [[resolver]]
            name = "mine"
            address = ["\(RoutedNetwork.far.v4)", "\(RoutedNetwork.far.v6)"]

            """,
            to: "config/dnstempo/config.toml"
        )
        return try await RoutedNetwork().run(
            Program("sh", package: "dash"),
            ["-ec", "\(command)\nexec \"$0\" \"$@\"", Program.dnstempo().path] + arguments,
            environment: Binary.environment(home: folder.path).merging([
                "DNSTEMPO_ALLOW_NET": RoutedNetwork.allowed,
                "XDG_CONFIG_HOME": folder.file("config"),
            ]) { $1 },
            in: folder.path
        )
    }

    @Test(
        arguments: [
            ("", [], "\(RoutedNetwork.far.v4):53"),
            ("-4", [], "[\(RoutedNetwork.far.v6)]:53"),
            ("-4", ["-6"], "[\(RoutedNetwork.far.v6)]:53"),
            ("-6", [], "\(RoutedNetwork.far.v4):53"),
        ] as [(String, [String], String)]
    )
    func `a resolver is queried at an address that has a route`(
        without family: String,
        options: [String],
        endpoint: String
    ) async throws {
        let ip = try Program("ip", package: "iproute2").path
        let run = try await run(
            ["compare", "mine", "-d", "example.com", "--rounds", "1", "--no-check", "--no-store"]
                + ["--format", "json"] + options,
            after: family.isEmpty ? "" : "\(ip) \(family) route del default"
        )
        #expect(run.code == 0, "\(run.errors)")
        let resolver = try JSON(run.output).resolver("mine")
        #expect(resolver["endpoint"] as? String == endpoint)
        #expect(resolver["answered"] as? Int == 1)
    }

    @Test func `nameservers that the C library ignores are reported`() async throws {
        let far = RoutedNetwork.far.v4
        let lines = ["192.0.2.9#5353", "fe80::1", far].map { "nameserver \($0)\\n" }
        let mount =
            "printf '\(lines.joined())' > resolv.conf\n"
            + "mount --bind resolv.conf /etc/resolv.conf"
        let found = try await run(["resolvers", "detect"], after: mount)
        #expect(found.code == 0, "\(found.errors)")
        let words = found.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("system \(far) /etc/resolv.conf"), "\(words)")
        #expect(words.contains("/etc/resolv.conf:1: '192.0.2.9#5353' is no address"))
        #expect(words.contains("/etc/resolv.conf:2: fe80::1 needs an interface"))
        let arguments = ["compare", "system", "-d", "example.com", "--rounds", "1", "--no-check"]
        let compared = try await run(arguments + ["--no-store"], after: mount)
        #expect(compared.code == 0, "\(compared.errors)")
        #expect(compared.errors.contains("/etc/resolv.conf:2: fe80::1 needs an interface"))
    }
}
