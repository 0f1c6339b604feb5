import Testing

@Suite(.serialized) struct BadArgumentTests {
    private static let durations = "write one number and a unit: 250ms, 30s, 5m, 2h or 7d"
    private static let types =
        "is not a record type to ask for; write A, AAAA, TXT, HTTPS or TYPE65, say"
    private static let perSecond = "give the queries per second, a number above 0"
    private static let pace =
        "more than 20 queries/s to one resolver is for resolvers that you run "
        + "yourself; if so, add --i-run-these-resolvers"

    static let parsing = [
        BadInput("compare --lbb", "Unknown option '--lbb'. Did you mean '--lab'?"),
        BadInput("compare --\u{1B}[31m", "Unknown option '--\\u{1B}[31m' (see --help)"),
        BadInput("comparee", "unknown command 'comparee'; did you mean 'compare'?"),
        BadInput("frobnicate x", "unknown command 'frobnicate'; see dnstempo --help"),
        BadInput("resolvers lst", "unknown command 'resolvers lst'; did you mean 'list'?"),
        BadInput("\u{1B}[31m", "unknown command '\\u{1B}[31m'; see dnstempo --help"),
        BadInput("resolvers show", "Missing expected argument '<name>' (see --help)"),
        BadInput("compare --rounds", "Missing value for '--rounds <rounds>' (see --help)"),
        BadInput(
            "compare --lab --rounds ten",
            "The value 'ten' is invalid for '--rounds <rounds>' (see --help)"
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
        BadInput("compare --lab --total-rate 1e400", "--total-rate inf: \(perSecond)"),
        BadInput(
            "compare --lab --rate 1e-320",
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
