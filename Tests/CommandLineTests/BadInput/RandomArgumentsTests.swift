import Fixtures
import Servers
import Testing

/// Real commands and options with random hostile values. The program must never crash, and must print at most
/// one error line.
struct RandomArgumentsTests {
    private static let commands = [
        ["compare"], ["compare", "--lab"], ["compare", "127.0.0.1:9"], ["compare", "system"],
        ["watch", "--lab"], ["watch", "127.0.0.1:9", "--no-store"],
        ["export"], ["resolvers", "list"], ["resolvers", "show"], ["resolvers", "detect"],
        ["store", "check"], ["store", "import"], ["store", "merge"], ["store", "prune"],
        ["check"], ["check", "127.0.0.1:9"], ["check", "--lab"], ["resolvers", "verify"],
        ["resolvers"], ["lab", "no.toml"], ["help"], [],
    ]
    private static let options = [
        "-d", "--domain", "--domains", "-t", "--type", "--rounds", "--duration", "--interval",
        "--rate", "--total-rate", "--i-run-these-resolvers", "--timeout", "--warmup", "--seed",
        "-4", "-6", "--transport", "--dnssec", "--nsid", "--ecs", "--0x20", "--baseline",
        "--vantage", "--campaign", "--lab", "--allow-net", "-o", "--output", "--samples",
        "--chart", "--format", "-q", "-v", "--no-color", "--version", "--help", "--layout",
        "--group", "--port", "--store", "--no-store", "--durability", "--older-than", "--dry-run",
        "--checks",
    ]
    private static let values = [
        "", " ", "-", "--", "-1", "0", "1", "nan", "inf", "-inf", "1e400", "1e-320", "0x1p9",
        "9223372036854775807", "-9223372036854775808", "99999999999999999999", "a", "=", "a=",
        "=b", "a=b=c", "[::1", "[]", "::", "%", "127.0.0.1:99999", "127.0.0.1/8", "::1/129",
        "0.0.0.0/33", "udp://", "tcp://[", "x://y", "\u{1B}[31m", "\r", "\n", "\t", "é",
        "\u{202E}", "😀", "1.5s", "-5s", "99999999999d", "1/2", ".", "..", "/", "/dev/null",
        "\\", "\\999", "\\000", "'", "\"", "$(x)", "udp,tcp", ",", "a,,b", "system-2", "gateway",
        "cloudflare", "mullvad", "hostile", "csv", "matrix", String(repeating: "a", count: 5_000),
    ]
    /// The exit codes that the program defines.
    private static let codes: Set<Int32> = [0, 64, 65, 66, 69, 73, 74, 78]

    /// The argument lists of one seed. Another seed gives other lists.
    private static func lists(seed: UInt64, count: Int) -> [[String]] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            var list = commands.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                list.append(options.randomElement(using: &random) ?? "")
                if Int.random(in: 0..<4, using: &random) > 0 {
                    list.append(values.randomElement(using: &random) ?? "")
                }
            }
            // These options shorten the run of a valid list.
            var brief: [String] = []
            if list.first == "watch" { brief.append("--interval=1ms") }
            if ["compare", "watch"].contains(list.first) {
                brief += ["--rounds=1", "--warmup=0", "--timeout=50ms", "--rate=1000"]
                brief += ["--total-rate=9000"]
            }
            if list.first == "check" {
                brief += ["--timeout=50ms", "--rate=1000", "--i-run-these-resolvers"]
            }
            list.insert(contentsOf: brief, at: list.firstIndex(of: "--") ?? list.count)
            return list
        }
    }

    /// At most two lists run at a time. More would take processor time from the tests that measure.
    @Test(arguments: [1, 2])
    func `no argument list crashes the program`(seed: Int) async throws {
        let folder = TemporaryFolder()
        for arguments in Self.lists(seed: UInt64(seed), count: 1_000) {
            let run = try await Program.dnstempo().run(
                arguments,
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(run.code.map(Self.codes.contains) == true, "\(arguments): \(run.status)")
            #expect(run.errors.split(separator: "\n").count <= 1, "\(arguments): \(run.errors)")
            #expect(run.errors.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "\(arguments)")
            #expect(run.code == 0 || !run.errors.isEmpty, "\(arguments)")
        }
    }
}
