import Foundation
import Servers
import Testing

@Suite(.serialized) struct BadArgumentTests {
    private static let durations = "write one number and a unit: 250ms, 30s, 5m, 2h or 7d"
    private static let types =
        "is not a record type to ask for; write A, AAAA, TXT, HTTPS or TYPE65, say"
    private static let perSecond = "give the queries per second, from 0.001 to 1000000"
    private static let pace =
        "more than 20 queries per second to one resolver is for resolvers that you run "
        + "yourself; if so, add --i-run-these-resolvers"

    static let parsing = [
        BadInput("compare --lbb", "Unknown option '--lbb'. Did you mean '--lab'?"),
        BadInput("compare --\u{1B}[31m", "Unknown option '--\\u{1B}[31m' (see --help)"),
        BadInput("comparee", "unknown command 'comparee'; did you mean 'compare'?"),
        BadInput("frobnicate x", "unknown command 'frobnicate'; see dnstempo --help"),
        BadInput("resolvers lst", "unknown command 'resolvers lst'; did you mean 'list'?"),
        BadInput("\u{1B}[31m", "unknown command '\\u{1B}[31m'; see dnstempo --help"),
        BadInput("resolvers show", "Missing expected argument '<name>' (see --help)"),
        BadInput("compare --rounds", "Missing value for '--rounds <n>' (see --help)"),
        BadInput(
            "compare --lab --rounds ten",
            "The value 'ten' is invalid for '--rounds <n>' (see --help)"
        ),
        BadInput(
            "compare --lab --seed=-1",
            "The value '-1' is invalid for '--seed' (see --help)"
        ),
    ]

    static let numbers = [
        BadInput("compare --lab --rounds 0", "--rounds 0: give a number from 1 to 2147483647"),
        BadInput("compare --lab --rounds=-1", "--rounds -1: give a number from 1 to 2147483647"),
        BadInput(
            "compare --lab --rounds 9223372036854775807",
            "--rounds 9223372036854775807: give a number from 1 to 2147483647"
        ),
        BadInput(
            "compare --lab --rounds 5 --until-sure",
            "--until-sure and --rounds cannot be combined: --rounds takes exactly so many"
        ),
        BadInput(
            "compare --lab --rounds 5 --max-rounds 9",
            "--max-rounds and --rounds cannot be combined: --rounds takes exactly so many"
        ),
        BadInput(
            "compare --lab --max-rounds 0",
            "--max-rounds 0: give a number from 1 to 2147483647"
        ),
        BadInput(
            "compare --lab --max-rounds 9 --duration 5s",
            "--max-rounds 9 and --duration: add --until-sure, or leave one out"
        ),
        BadInput("compare --lab --margin 5", "--margin: '5' has no unit; \(durations)"),
        BadInput(
            "compare --lab --fail-if p95\\_>\\_50",
            "--fail-if 'p95 > 50': '50' has no unit; \(durations)"
        ),
        BadInput(
            "compare --lab --fail-if medow:loss>1%",
            "--fail-if 'medow:loss>1%': 'medow' is not among the resolvers; did you mean 'meadow'?"
        ),
        BadInput("compare --lab --rate 0", "--rate 0.0: \(perSecond)"),
        BadInput("compare --lab --rate nan", "--rate nan: \(perSecond)"),
        BadInput("compare --lab --rate inf", "--rate inf: \(perSecond)"),
        BadInput("compare --lab --rate=-1", "--rate -1.0: \(perSecond)"),
        BadInput("compare --lab --rate 1e-320", "--rate 1e-320: \(perSecond)"),
        BadInput("compare --lab --total-rate 1e400", "--total-rate inf: \(perSecond)"),
        BadInput(
            "compare --lab --rate 0.001 --rounds 2000000000",
            "The plan would last more than 100 years: raise --rate and --total-rate, or take fewer "
                + "rounds"
        ),
        BadInput("compare 127.0.0.1:53 --rate 21", "--rate 21.0: \(pace)"),
        BadInput("compare 127.0.0.1 --rate 20.5", "--rate 20.5: \(pace)"),
        BadInput("compare --lab --warmup 101", "--warmup 101: give a number from 0 to 100"),
        BadInput("compare --lab --timeout 5", "--timeout: '5' has no unit; \(durations)"),
        BadInput("compare --lab --timeout=-5s", "--timeout: '-5s' is negative; \(durations)"),
        BadInput(
            "compare --lab --timeout 0",
            "--timeout 0: give a time above 0 and up to an hour, as in 5s"
        ),
        BadInput(
            "compare --lab --timeout 2h",
            "--timeout 2h: give a time above 0 and up to an hour, as in 5s"
        ),
        BadInput(
            "compare --lab --timeout 99999999d",
            "--timeout: the duration '99999999d' is too long; 36500d is the most"
        ),
        BadInput(
            "compare --lab --interval abc",
            "--interval: 'abc' is not a duration; \(durations)"
        ),
        BadInput(
            "sample --lab",
            "sample --lab: name a store with --store, so that yours keeps to real resolvers"
        ),
        BadInput("sample --lab --splay 5", "--splay: '5' has no unit; \(durations)"),
        BadInput("compare --lab --duration 0", "--duration 0: give a time above 0, as in 30s"),
        BadInput(
            "compare --lab --rounds 3 --duration 3s",
            "--rounds and --duration cannot be combined; give one"
        ),
    ]

    static let questions = [
        BadInput(
            "compare --lab -d a..b",
            "'a..b' has an empty label: remove the dot that has nothing before it"
        ),
        BadInput(
            "compare --lab -d \(String(repeating: "a", count: 64)).com",
            "'\(String(repeating: "a", count: 64)).com' has a label of 64 octets: shorten it to 63"
        ),
        BadInput(
            "compare --lab -d 1,a.com",
            "'1,a.com' has ',', which no host name has: write the name alone, or add "
                + "--literal-names"
        ),
        BadInput(
            "compare --lab -d a\\_b.com",
            "'a b.com' contains a space: remove it, or write '\\032' if it is meant"
        ),
        BadInput(
            "compare --lab -d \(String(repeating: "abcdefghi.", count: 26))com",
            "'\(String(repeating: "abcdefghi.", count: 8))…' takes 265 octets on the wire: shorten "
                + "it to 255"
        ),
        BadInput("compare --lab -d ", "'' is empty: write a name, or '.' for the root"),
        BadInput("compare --lab -t NOPE", "--type: 'NOPE' \(types)"),
        BadInput("compare --lab -t AXFR", "--type: 'AXFR' \(types)"),
        BadInput("compare --lab -t ", "--type: '' \(types)"),
        BadInput(
            "compare --lab --ecs 192.0.2.0/40",
            "--ecs: '192.0.2.0/40' has no usable prefix length; write a number from 0 to 32 after "
                + "the slash"
        ),
        BadInput(
            "compare --lab --ecs here",
            "--ecs: 'here' is not a network; write one such as 127.0.0.0/8 or ::1/128"
        ),
        BadInput(
            "compare --lab -d a.test --domains names",
            "--domain and --domains cannot be combined; give one",
            files: ["names": "b.test\n"]
        ),
    ]

    private static let encrypted =
        "is for encrypted transports, and no resolver is queried over one: add --transport tls, "
        + "say, or leave it out"
    private static let oneRound =
        "sample runs one round; leave it out, or use compare or watch"

    /// Options that nothing would come of.
    static let unused = [
        BadInput(
            "compare --lab --samples a.csv --samples b.csv",
            "--samples takes one value and is written twice: leave one out"
        ),
        BadInput(
            "compare --rounds=2 --lab --rounds 3",
            "--rounds takes one value and is written twice: leave one out"
        ),
        BadInput(
            "chart -o a.svg --output b.svg",
            "--output takes one value and is written twice: leave one out"
        ),
        BadInput(
            "schedule print --store a.sqlite --store b.sqlite",
            "--store takes one value and is written twice: leave one out"
        ),
        BadInput(
            "schedule print --timeout 1s --timeout 2s",
            "--timeout takes one value and is written twice: leave one out"
        ),
        BadInput(
            "compare --lab --zone example.org",
            "--zone is for uncached names: add --series cached,uncached, or leave it out"
        ),
        BadInput("compare 127.0.0.1 --ca a.pem", "--ca \(encrypted)"),
        BadInput(
            "compare 127.0.0.1 --pin \(String(repeating: "A", count: 43))=",
            "--pin \(encrypted)"
        ),
        BadInput("watch 127.0.0.1 --insecure", "--insecure \(encrypted)"),
        BadInput("compare 127.0.0.1 --connections fresh", "--connections \(encrypted)"),
        BadInput(
            "compare tls://127.0.0.1 --http-method get",
            "--http-method is for https and h3, and no resolver is queried over these: leave it out"
        ),
        BadInput(
            "compare tls://127.0.0.1 --insecure --ca a.pem",
            "--insecure verifies no certificate: leave out --ca"
        ),
        BadInput(
            "compare tls://127.0.0.1 --bootstrap 127.0.0.1",
            "--bootstrap looks up host names, and no resolver is named by one: leave it out"
        ),
        BadInput(
            "compare 127.0.0.1 --max-rounds 20",
            "--until-sure and --max-rounds need resolvers to compare: name another, or give --rounds"
        ),
        BadInput(
            "compare --lab --connect-port 80",
            "--connect-port goes with --connect; add it or leave it out (see --help)"
        ),
        BadInput(
            "compare --lab --durability off",
            "--durability is of a store, and there is none: add --store"
        ),
        BadInput(
            "watch 127.0.0.1 --no-store --durability off",
            "--durability is of a store, and there is none: add --store"
        ),
        BadInput(
            "compare --lab -q --format json",
            "--format and --quiet cannot be combined: leave one out"
        ),
        BadInput(
            "compare --lab -q -v",
            "--verbose and --quiet cannot be combined: leave one out"
        ),
        BadInput(
            "compare --lab -v --format csv",
            "--verbose is of the table: leave out --format"
        ),
        BadInput("sample 127.0.0.1 --interval 1m", "--interval: \(oneRound)"),
        BadInput("sample 127.0.0.1 --rounds 2", "--rounds: \(oneRound)"),
        BadInput(
            "serve --expect a.example\\_A\\_192.0.2.1",
            "resolvers, names and other options of rounds need rounds: add --sample-every 1m, or "
                + "leave them out"
        ),
        BadInput(
            "compare 127.0.0.1:1 --no-store --fail-if slower-than-baseline",
            "--fail-if 'slower-than-baseline': no resolver is compared with the baseline; name another"
        ),
        BadInput(
            "serve --rounds 2",
            "--rounds: serve runs rounds as --sample-every says; leave it out, or use watch"
        ),
        BadInput(
            "report a.csv --origin sample",
            "--origin is of a store's rounds: leave it out with samples files",
            files: ["a.csv": ""]
        ),
    ]

    @Test(arguments: unused)
    func `an option that would be ignored is refused`(input: BadInput) async throws {
        try await input.check()
    }

    @Test func `options may be written as often as they take values`() async throws {
        let run = try await Command.run(
            ["compare", "--lab", "meadow", "-d", "a.test", "-d", "b.test", "-t", "A", "-t", "AAAA"]
                + ["--rounds", "1", "--fail-if", "p95 > 4s", "--fail-if", "loss > 99%", "-q"]
        )
        #expect(run.code == 0, "\(run.errors)")
    }

    /// These are let pass without a look at what the parser knows of them.
    @Test func `an option that takes several values takes them in every command`() async throws {
        struct Description: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable { var name: String }
                var isRepeating: Bool
                var names: [Name]?
            }
            var arguments: [Argument]?
            var subcommands: [Description]?
            var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
        }
        struct Program: Decodable { var command: Description }
        let run = try await Command.run(["--experimental-dump-help"])
        let program = try JSONDecoder().decode(Program.self, from: Data(run.output.utf8))
        for name in [
            "d", "domain", "t", "type", "source", "expect", "zone", "pin", "edns-option", "notify",
        ] {
            let found = program.command.all.filter {
                $0.names?.contains { $0.name == name } == true
            }
            #expect(!found.isEmpty && found.allSatisfy(\.isRepeating), "\(name)")
        }
    }

    @Test(arguments: parsing)
    func `what is no command line is refused in one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: numbers)
    func `a number out of range is refused with the range`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: questions)
    func `what cannot be asked for is refused`(input: BadInput) async throws {
        try await input.check()
    }
}
