import Servers
import Testing

/// What cannot be reported, and what is said about it.
@Suite struct BadReportTests {
    private static let samples = [
        "a.csv": "run,round,scheduled,resolver,name,type,outcome,rtt_ms\n"
            + "r,1,2026-03-16T00:00:00Z,meadow,example.com,A,answered,12.5\n"
    ]

    private static let oneKind =
        "--by, --changes, --against, --baseline and --objective are reports of their own: give one"

    static let arguments = [
        BadInput(
            "report a.csv --by planet",
            "--by: unknown value 'planet': choose resolver, name, type, hour, weekday, day, "
                + "transport, vantage, site",
            files: samples
        ),
        BadInput(
            "report a.csv --by hour --changes",
            oneKind,
            files: samples
        ),
        BadInput("report a.csv --against 7d --changes", oneKind, files: samples),
        BadInput("report a.csv --objective p95<5ms --by hour", oneKind, files: samples),
        BadInput(
            "report a.csv --objective fast",
            "--objective 'fast': not an objective; write 'p95 < 50ms' or 'answered within 100ms >= "
                + "99.5%'",
            files: samples
        ),
        BadInput(
            "report a.csv --objective p95<5",
            "--objective 'p95<5': '5' has no unit; write one number and a unit: 250ms, 30s, 5m, "
                + "2h or 7d",
            files: samples
        ),
        BadInput(
            "report a.csv --objective p95<5ms --over 30d --since 7d",
            "--over and --since cannot be combined: both say where the window begins",
            files: samples
        ),
        BadInput(
            "report a.csv --over 30d",
            "--over is the window of an objective: add --objective 'p95 < 50ms', or use --since",
            files: samples
        ),
        BadInput(
            "report a.csv --objective p95<5ms --over 0",
            "--over 0: give a time above 0, such as 30d",
            files: samples
        ),
        BadInput(
            "report a.csv --fail-if objective-missed",
            "--fail-if objective-missed needs an objective: add --objective 'p95 < 50ms'",
            files: samples
        ),
        BadInput(
            "sample 127.0.0.1 --store s.sqlite --objective p95<5ms",
            "--objective is told by --notify and --textfile: add one, or use report --objective"
        ),
        BadInput(
            "sample 127.0.0.1 --store s.sqlite --objective median<5ms --notify desktop",
            "--objective 'median < 5 ms': 50 % of the queries may fail, which leaves no room to fail "
                + "6 times too often; choose 83.4 % or more, or leave out --notify"
        ),
        BadInput(
            "report a.csv --against 90m",
            "--against: '90m' is not whole hours; write 24h or 7d",
            files: samples
        ),
        BadInput(
            "report a.csv --against 0",
            "--against: '0' is not whole hours; write 24h or 7d",
            files: samples
        ),
        BadInput(
            "report a.csv --against week",
            "--against: 'week' is not a duration; write one number and a unit: 250ms, 30s, 5m, 2h "
                + "or 7d",
            files: samples
        ),
        BadInput(
            "report a.csv --against 7d --since 30d",
            "--against 7d is the last 7d and the 7d before: leave out --since",
            files: samples
        ),
        BadInput(
            "report a.csv --format xml",
            "--format: unknown value 'xml': choose table, csv, json or markdown",
            files: samples
        ),
    ]

    static let windows = [
        BadInput(
            "report --since yesterday",
            "--since: 'yesterday' is not a moment; write 7d, 36h, 2w, 2mo or 1y (ago), "
                + "2026-05-01, 2026-05-01T14:30, 2026-05-01T14:30Z or now"
        ),
        BadInput(
            "report --until 2026-02-30",
            "--until: '2026-02-30' is not a moment; write 7d, 36h, 2w, 2mo or 1y (ago), "
                + "2026-05-01, 2026-05-01T14:30, 2026-05-01T14:30Z or now"
        ),
        BadInput(
            "report a.csv --since 4m",
            "--since 4m means minutes, and the last sample is of 2026-03-16 00:00: for months write "
                + "4mo",
            files: samples
        ),
        BadInput(
            "report a.csv --since 2026-05-02 --until 2026-05-01",
            "--since (2026-05-02 00:00) is not before --until (2026-05-01 00:00): choose an "
                + "earlier --since",
            files: samples
        ),
        BadInput(
            "report --origin cron",
            "--origin: unknown value 'cron': choose some of sample, watch, compare, import, or all"
        ),
        BadInput(
            "report a.csv --resolver medow",
            "--resolver: 'medow' was not measured; did you mean 'meadow'?",
            files: samples
        ),
        BadInput(
            "report a.csv --resolver quad9",
            "--resolver: 'quad9' was not measured; there are meadow",
            files: samples
        ),
    ]

    static let files = [
        BadInput("report no.sqlite", 66, "there is no store 'no.sqlite': sample or import first"),
        BadInput(
            "report --store no.sqlite",
            66,
            "there is no store 'no.sqlite': sample or import first"
        ),
        BadInput("report no.csv", 66, "cannot read 'no.csv': No such file or directory"),
        BadInput(
            "report a.txt",
            65,
            "'a.txt' is not a store of dnstempo, and was left as it is: name another with --store",
            files: ["a.txt": "no store"]
        ),
        BadInput(
            "report a.csv home.sqlite",
            "stores and samples files together: import 'a.csv' into a store first (dnstempo store "
                + "import)",
            files: samples
        ),
        BadInput(
            "report a.csv --store home.sqlite",
            "--store and files: write every store without --store",
            files: samples
        ),
        BadInput(
            "report a.csv -o week.htm",
            "cannot tell the format of 'week.htm': end its name in .txt, .csv, .json, .md, "
                + ".svg, .png or .html",
            files: samples
        ),
        BadInput(
            "report a.csv -o week.md -o ./week.md",
            "'./week.md' is asked for twice: give each output a name of its own",
            files: samples
        ),
        BadInput(
            "report a.csv -o none/week.md",
            73,
            "cannot write 'none/week.md': its directory: No such file or directory",
            files: samples
        ),
    ]

    @Test(arguments: arguments)
    func `a report that cannot be is refused in one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: windows)
    func `a window that cannot be is refused in one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: files)
    func `a file that cannot be read or written is refused in one line`(
        input: BadInput
    ) async throws {
        try await input.check()
    }
}
