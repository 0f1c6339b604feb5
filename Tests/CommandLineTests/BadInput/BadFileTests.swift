import Foundation
import Servers
import Testing

@Suite(.serialized) struct BadFileTests {
    private static let suffixes = "end its name in one of .txt, .csv, .json, .md, .svg, .png, .html"
    private static let twice = "is asked for twice: give each output a name of its own"
    private static let input = "is an input of this command: give the output another name"
    private static let types =
        "is not a record type to ask for; write A, AAAA, TXT, HTTPS or TYPE65, say"
    /// A campaign that asks one closed port of loopback.
    private static let resolver = "[[resolver]]\nname = \"closed\"\naddress = \"127.0.0.1:9\"\n"

    private static let long = String(repeating: "x", count: 70_000)
    private static let names = (1...10_001).map { "n\($0).test" }

    static let outputs = [
        BadInput("compare --lab -o x.foo", "cannot tell the format of 'x.foo': \(suffixes)"),
        BadInput("compare --lab -o x", "cannot tell the format of 'x': \(suffixes)"),
        BadInput("compare --lab -o a.json -o ./a.json", "'./a.json' \(twice)"),
        BadInput("compare --lab -o a.csv --samples a.csv", "'a.csv' \(twice)"),
        BadInput(
            "compare --lab -o none/a.json",
            73,
            "cannot write 'none/a.json': its directory: No such file or directory"
        ),
        BadInput(
            "compare --lab -o a.json",
            73,
            "cannot write 'a.json': it is a directory",
            files: ["a.json/": ""]
        ),
        BadInput(
            "compare --lab --samples x.txt",
            "--samples 'x.txt': end its name in .csv or .jsonl"
        ),
        BadInput(
            "compare --lab -o x.svg --chart pie",
            "--chart: unknown value 'pie': choose bars, distribution, rounds, "
                + "percentiles, opening"
        ),
        BadInput(
            "compare --lab --chart bars",
            "--chart chooses what an .svg or .png file shows; add -o FILE.svg or FILE.png"
        ),
        BadInput(
            "report a.csv --by name -o ./a.csv",
            "'./a.csv' \(input)",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "report a.csv --against b.csv -o b.csv",
            "'b.csv' \(input)",
            files: ["a.csv": "", "b.csv": ""]
        ),
        BadInput(
            "compare --lab --domains n.txt -o n.txt",
            "'n.txt' \(input)",
            files: ["n.txt": "a.test\n"]
        ),
        BadInput("compare --lab --store s.csv --samples s.csv", "'s.csv' \(input)"),
        BadInput(
            "compare --campaign c.txt -o c.txt",
            "'c.txt' \(input)",
            files: ["c.txt": resolver]
        ),
        BadInput(
            "export a.csv -o a.csv",
            "'a.csv' \(input)",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "export --store s.sqlite --format csv -o s.sqlite",
            "'s.sqlite' \(input)",
            files: ["s.sqlite": ""]
        ),
        BadInput(
            "chart s.svg -o s.svg",
            "'s.svg' \(input)",
            files: ["s.svg": ""]
        ),
        BadInput(
            "compare --lab --format xml",
            "--format: unknown value 'xml': choose table, csv, json or markdown"
        ),
    ]

    static let configurations = [
        BadInput(
            "compare --campaign missing.toml",
            66,
            "no campaign: 'missing.toml' does not exist; check the path; bundled: "
                + "2009-is-8888-faster"
        ),
        BadInput(
            "compare --campaign 2009-is-8888-fast",
            66,
            "no campaign: '2009-is-8888-fast' does not exist; check the path; did you mean "
                + "'2009-is-8888-faster'?"
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:2: unknown key 'ronuds'; did you mean 'rounds'?",
            files: ["c.toml": "types = [\"A\"]\nronuds = 4\n"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:3: 'dns0' is out of service since 2025-10 (discontinued; security.nl, "
                + "2025-10-21); ask 'dns4eu-protective' or 'nextdns' instead",
            files: ["c.toml": "[[resolver]]\nname = \"x\"\naddress = \"dns0\"\n"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:2: 'domains': 'a..b' has an empty label: remove the dot that has nothing "
                + "before it",
            files: ["c.toml": "# names\ndomains = [\"a..b\"]\n\(resolver)"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:1: 'types': 'NOPE' \(types)",
            files: ["c.toml": "types = [\"NOPE\"]\n\(resolver)"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:1: 'ecs': 'here' is not a network; write one such as 127.0.0.0/8 or ::1/128",
            files: ["c.toml": "ecs = \"here\"\n\(resolver)"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:1: 'baseline': 'x' is not among the resolvers asked; choose one of closed",
            files: ["c.toml": "baseline = \"x\"\n\(resolver)"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:2: 'duration': it and 'rounds' cannot be combined; give one",
            files: ["c.toml": "rounds = 3\nduration = \"3s\"\n\(resolver)"]
        ),
        BadInput(
            "compare --campaign c.toml",
            78,
            "c.toml:1: not valid TOML: a table's name is missing after '['",
            files: ["c.toml": "[\n"]
        ),
        BadInput(
            "compare --lab=missing.toml",
            66,
            "no lab profile: 'missing.toml' does not exist; check the path; bundled: default, "
                + "hostile"
        ),
        BadInput(
            "lab p.toml",
            78,
            "p.toml:1: the profile has no [[resolver]]; describe at least one",
            files: ["p.toml": "seed = 3\n"]
        ),
    ]

    static let inputs = [
        BadInput("export no.csv", 66, "cannot read 'no.csv': No such file or directory"),
        BadInput(
            "export a.csv",
            66,
            "cannot read 'a.csv': Is a directory",
            files: ["a.csv/": ""]
        ),
        BadInput(
            "export a.csv",
            65,
            "a.csv, line 3, column rtt_ms: 'x' is no number of milliseconds",
            files: [
                "a.csv": "resolver,name,outcome,rtt_ms\na,b.test,answered,1\na,b.test,answered,x\n"
            ]
        ),
        BadInput(
            "export a.csv",
            65,
            "a.csv, line 2, column outcome: 'lost' is none of answered, failed, timeout, "
                + "unreachable, malformed, filtered, offline, blocked, wrong",
            files: ["a.csv": "resolver,name,outcome\na,b.test,lost\n"]
        ),
        BadInput(
            "export a.jsonl",
            65,
            "a.jsonl, line 1, column name: this key is missing",
            files: ["a.jsonl": "{\"resolver\":\"a\"}\n"]
        ),
        BadInput(
            "export a.txt",
            65,
            "'a.txt' is not a store of dnstempo, and was left as it is: name another with --store",
            files: ["a.txt": "no store"]
        ),
        BadInput("export no.sqlite", 66, "there is no store 'no.sqlite': sample or import first"),
        BadInput(
            "export a.csv --rollups",
            "--rollups: a samples file has none; import it into a store first (dnstempo store "
                + "import)",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "export a.csv --rollups --layout matrix -o t",
            "--layout matrix has one row per round: leave out --rollups",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "export a.csv --origin cron",
            "--origin: unknown value 'cron': choose some of sample, watch, compare, import, or all",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "export a.csv --layout wide",
            "--layout: unknown value 'wide': choose long or matrix",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "export a.csv --layout matrix",
            "--layout matrix writes one file per name; add -o FOLDER",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "export a.csv --layout matrix -o none/tables",
            73,
            "cannot make the folder 'none/tables': No such file or directory",
            files: ["a.csv": "resolver,name,outcome\na,b.test,timeout\n"]
        ),
        BadInput(
            "report a.csv",
            65,
            "a.csv, line 2, column resolver: is longer than 255 octets",
            files: ["a.csv": "resolver,name,outcome\n\(long),b.test,answered\n"]
        ),
        BadInput(
            "report a.jsonl",
            65,
            "a.jsonl, line 1: is longer than a row can be",
            files: ["a.jsonl": String(repeating: long, count: 50)]
        ),
        BadInput(
            "compare --lab --domains n.txt",
            "10001 names in 1 type are more than the 10000 questions that a round may have: take "
                + "fewer",
            files: ["n.txt": names.joined(separator: "\n")]
        ),
        BadInput(
            "compare --campaign c.toml",
            "10001 names in 2 types are more than the 10000 questions that a round may have: take "
                + "fewer",
            files: [
                "c.toml":
                    "types = [\"A\", \"AAAA\"]\ndomains = [\"\(names.joined(separator: "\", \""))\"]\n"
                    + resolver
            ]
        ),
        BadInput(
            "compare --lab --domains no.txt",
            66,
            "'no.txt' does not exist; check the path"
        ),
        BadInput(
            "compare --lab --domains n.txt",
            65,
            "n.txt:2: 'b c.test' is more than one name; write one a line",
            files: ["n.txt": "a.test\nb c.test\n"]
        ),
        BadInput(
            "compare --lab --domains n.csv -t A",
            "--type: 'n.csv' has record types beside its names: leave out --type, or remove them",
            files: ["n.csv": "a.test AAAA\n"]
        ),
        BadInput(
            "compare --lab --domains n.txt",
            65,
            "n.txt:1: 'TYPE0' is not a record type to ask for; write A, AAAA, TXT, HTTPS or "
                + "TYPE65, say",
            files: ["n.txt": "a.test TYPE0\n"]
        ),
        BadInput(
            "compare --lab --domains n.json",
            65,
            "n.json:1: '[\"a.test\",' looks like JSON: write one name per line",
            files: ["n.json": "[\"a.test\",\n\"b.test\"]\n"]
        ),
        BadInput(
            "compare --lab --domains n.txt",
            65,
            "n.txt:3: 'b..test' has an empty label: remove the dot that has nothing before it",
            files: ["n.txt": "a.test\n# a comment\nb..test\n"]
        ),
    ]

    @Test(arguments: outputs)
    func `an output that cannot be written is refused before anything is sent`(
        input: BadInput
    ) async throws {
        try await input.check()
    }

    @Test(arguments: configurations)
    func `a wrong campaign, configuration or profile is named with its line`(
        input: BadInput
    ) async throws {
        try await input.check()
    }

    @Test func `a wrong configuration stops every command with its file and line`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("# mine\nrate = \"fast\"\n", to: "dnstempo/config.toml")
        for command in [["compare", "--lab"], ["resolvers", "list"]] {
            let run = try await Command.run(command, environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(run.code == 78)
            #expect(
                run.errors == "dnstempo: \(file):2: 'rate' has to be a number from 0.001 to "
                    + "1000000, not '\"fast\"'\n"
            )
            #expect(run.output == "")
        }
    }

    @Test func `an objective of the configuration is checked where it is used`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("objective = \"p95 > 5ms\"\n", to: "dnstempo/config.toml")
        for command in [["serve", "--port", "0"], ["sample", "127.0.0.1:9"]] {
            let run = try await Command.run(
                command + ["--store", folder.file("s.sqlite")],
                environment: ["XDG_CONFIG_HOME": folder.path]
            )
            #expect(run.code == 78)
            #expect(
                run.errors == "dnstempo: \(file):1: 'objective': 'p95 > 5ms': not an objective; "
                    + "write 'p95 < 50ms' or 'answered within 100ms >= 99.5%'\n"
            )
        }
    }

    @Test(arguments: inputs)
    func `an input that cannot be used is named with its line`(input: BadInput) async throws {
        try await input.check()
    }
}
