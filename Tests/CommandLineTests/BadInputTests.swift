import Foundation
import Servers
import Testing

/// Every mistake gets one line that names it and says what to do, and the exit code of its kind.
@Suite struct BadInputTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var arguments: String
        var code: Int32
        /// All of standard error, after `dnstempo: `.
        var line: String
        var testDescription: String { arguments }
    }

    private static let mistakes: [Mistake] = [
        Mistake(arguments: "frob", code: 64, line: "Unexpected argument 'frob' (see --help)"),
        Mistake(
            arguments: "compare --frob",
            code: 64,
            line: "Unknown option '--frob'. Did you mean '--lab'?"
        ),
        Mistake(
            arguments: "compare --lab --rounds x",
            code: 64,
            line: "The value 'x' is invalid for '--rounds <rounds>' (see --help)"
        ),
        Mistake(
            arguments: "compare cloudflair",
            code: 64,
            line: "unknown resolver 'cloudflair'; did you mean 'cloudflare'?"
        ),
        Mistake(
            arguments: "compare dns0",
            code: 64,
            line: "'dns0' is out of service since 2025-10 "
                + "(discontinued; security.nl, 2025-10-21); "
                + "ask 'dns4eu-protective' or 'nextdns' instead"
        ),
        Mistake(
            arguments: "compare mullvad",
            code: 64,
            line: "'mullvad' serves encrypted transports only, which are not in this version; "
                + "choose a resolver that answers over udp"
        ),
        Mistake(
            arguments: "compare tls://dns.quad9.net",
            code: 64,
            line: "'tls://dns.quad9.net': encrypted transports are not in this version; "
                + "'quad9' asks the same resolver over udp"
        ),
        Mistake(
            arguments: "compare cloudflare",
            code: 64,
            line: "resolver 'cloudflare' at 1.1.1.1 is outside the allowed networks "
                + "(127.0.0.0/8,::1/128); leave it out or allow its network"
        ),
        Mistake(
            arguments: "compare --lab -d a..b",
            code: 64,
            line: "'a..b' has an empty label: remove the dot that has nothing before it"
        ),
        Mistake(
            arguments: "compare --lab -t FROB",
            code: 64,
            line: "--type: 'FROB' is not a record type to ask for; "
                + "write A, AAAA, TXT, HTTPS or TYPE65, say"
        ),
        Mistake(
            arguments: "compare --lab --timeout 5",
            code: 64,
            line: "--timeout: '5' has no unit; "
                + "write one number and a unit: 250ms, 30s, 5m, 2h or 7d"
        ),
        Mistake(
            arguments: "compare --lab --rounds 0",
            code: 64,
            line: "--rounds 0: give a number from 1 to 2147483647"
        ),
        Mistake(
            arguments: "compare 127.0.0.1:53 --rate 21",
            code: 64,
            line: "--rate 21.0: more than 20 queries/s to one resolver is for resolvers that "
                + "you run yourself; if so, add --i-run-these-resolvers"
        ),
        Mistake(
            arguments: "compare --lab --rounds 3 --duration 5s",
            code: 64,
            line: "--rounds and --duration exclude each other; give one"
        ),
        Mistake(
            arguments: "compare --lab -o x.pdf",
            code: 64,
            line: "cannot tell the format of 'x.pdf': end its name in one of "
                + ".txt, .csv, .json, .md, .svg"
        ),
        Mistake(
            arguments: "compare --lab -o x.csv --samples x.csv",
            code: 64,
            line: "'x.csv' is asked for twice: give each output a name of its own"
        ),
        Mistake(
            arguments: "compare --lab -o missing/x.csv",
            code: 73,
            line: "cannot write 'missing/x.csv': its directory: No such file or directory"
        ),
        Mistake(
            arguments: "compare --lab --samples x.txt",
            code: 64,
            line: "--samples 'x.txt': end its name in .csv or .jsonl"
        ),
        Mistake(
            arguments: "compare --lab --chart pie -o x.svg",
            code: 64,
            line: "--chart: 'pie' is none; write one of bars, distribution, rounds"
        ),
        Mistake(
            arguments: "compare --lab --chart bars",
            code: 64,
            line: "--chart chooses what an .svg file shows; add -o FILE.svg"
        ),
        Mistake(
            arguments: "compare --lab --format xml",
            code: 64,
            line: "--format: 'xml' is none; write table, csv, json or markdown"
        ),
        Mistake(
            arguments: "compare --lab --baseline nobody meadow brook",
            code: 64,
            line: "--baseline: 'nobody' is not among the resolvers asked; "
                + "choose one of meadow, brook"
        ),
        Mistake(
            arguments: "compare a=127.0.0.1:5301 a=127.0.0.1:5302",
            code: 64,
            line: "two resolvers have the label 'a'; "
                + "give one another label, such as other=127.0.0.1:5302"
        ),
        Mistake(
            arguments: "compare --lab --transport quic",
            code: 64,
            line: "--transport: quic is not in this version; write udp or tcp"
        ),
        Mistake(
            arguments: "export missing.csv",
            code: 66,
            line: "cannot read 'missing.csv': No such file or directory"
        ),
        Mistake(
            arguments: "export x.txt",
            code: 64,
            line: "'x.txt' is not a samples file: its name ends in .csv or .jsonl"
        ),
        Mistake(
            arguments: "resolvers show nobody",
            code: 64,
            line: "unknown resolver 'nobody'; "
                + "give an address or a name that 'dnstempo resolvers list' shows"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake is named in one line`(mistake: Mistake) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let arguments = mistake.arguments.split(separator: " ").map(String.init)
        let run = try await Binary.run(arguments, in: folder.path)
        #expect(run.errors == "dnstempo: \(mistake.line)\n")
        #expect(run.code == mistake.code)
        #expect(run.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [
        (
            name: "c.toml", text: "rouns = 3\n", option: "--campaign", code: 78 as Int32,
            line: "c.toml:1: unknown key 'rouns'; did you mean 'rounds'?"
        ),
        (
            name: "c.toml", text: "\nrounds = \"three\"\n", option: "--campaign", code: 78,
            line: "c.toml:2: 'rounds' has to be a whole number from 1 to 1000000, not '\"three\"'"
        ),
        (
            name: "names", text: "example.com\nb..c\n", option: "--domains", code: 65,
            line: "names:2: 'b..c' has an empty label: remove the dot that has nothing before it"
        ),
    ])
    func `a mistake in a file is named with its line`(
        name: String,
        text: String,
        option: String,
        code: Int32,
        line: String
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(text, to: name)
        let run = try await Binary.run(["compare", "--lab", option, name], in: folder.path)
        #expect(run.errors == "dnstempo: \(line)\n")
        #expect(run.code == code)
        #expect(run.output == "")
    }

    @Test func `a broken cell of a samples file is named with line and column`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write("resolver,name,outcome\na,example.com,frob\n", to: "s.csv")
        let run = try await Binary.run(["export", "s.csv"], in: folder.path)
        #expect(run.code == 65)
        #expect(run.errors.hasPrefix("dnstempo: s.csv, line 2, column outcome: 'frob' is none of "))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    /// Real options with nasty values: never a trap, and never more than one line.
    @Test func `no argument list brings the program down`() async throws {
        var random = SeededGenerator(state: 2009)
        let options = [
            "--rounds", "--rate", "--total-rate", "--timeout", "--interval", "--duration",
            "--warmup", "--seed", "-d", "-t", "--ecs", "--baseline", "--transport", "--allow-net",
            "--vantage", "--campaign", "--lab", "-o", "--samples", "--chart", "--format",
        ]
        let values = [
            "", "-1", "0", "nan", "inf", "1e400", "99999999999999999999", "a", "=", "a=", "=b",
            "[::1", "127.0.0.1:99999", "\u{1b}[31m", "é", "1.5s", "-5s", "1/2", "0.0.0.0/33", ".",
        ]
        let allowed: Set<Int32> = [0, 64, 65, 66, 69, 73, 78]
        for _ in 0..<120 {
            var arguments = ["compare", values.randomElement(using: &random) ?? ""]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                arguments.append(options.randomElement(using: &random) ?? "")
                arguments.append(values.randomElement(using: &random) ?? "")
            }
            let run = try await Binary.run(arguments)
            #expect(run.code.map(allowed.contains) == true, "\(arguments): \(run.status)")
            #expect(run.errors.split(separator: "\n").count <= 1, "\(arguments): \(run.errors)")
            #expect(!run.errors.contains("\u{1b}"))
        }
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014): the same arguments in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
