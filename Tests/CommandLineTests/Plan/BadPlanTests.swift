import Servers
import Testing

/// Plans that the program rejects, with the error lines.
@Suite struct BadPlanTests {
    private static func samples(_ rounds: Int, every seconds: Double = 300) -> [String: String] {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: rounds, interval: seconds)
        return ["a.csv": (try? rounds.jittery()) ?? ""]
    }

    private static let enough = samples(36)

    static let histories = [
        BadInput(
            "plan a.csv --difference 8ms --baseline harbour",
            66,
            "a plan needs 30 rounds of harbour and meadow, in hours with 6 or more; of 20 rounds "
                + "from 2026-03-16 00:00 to 2026-03-16 01:35, 20 can be used: measure more, as "
                + "with 'dnstempo compare --rounds 36', or choose an earlier --since",
            files: samples(20)
        ),
        BadInput(
            "plan a.csv --difference 8ms --baseline harbour --candidate meadow",
            66,
            "a plan needs 30 rounds of harbour and meadow, in hours with 6 or more; of 48 rounds "
                + "from 2026-03-16 00:00 to 2026-03-16 23:30, 0 can be used: measure more, as "
                + "with 'dnstempo compare --rounds 36', or choose an earlier --since",
            files: samples(48, every: 1800)
        ),
        BadInput(
            "plan a.csv --for 10m --resolver meadow",
            66,
            "no round from 2026-03-16 00:00 to 2026-03-16 02:55 has 'meadow' and another "
                + "resolver: measure some with 'dnstempo compare', or choose another --since or "
                + "--baseline",
            files: enough
        ),
        BadInput(
            "plan a.csv --for 10m --since 2026-04-01 --until 2026-04-02",
            66,
            "nothing was measured from 2026-04-01 00:00 to 2026-04-02 00:00. There are samples "
                + "from 2026-03-16 00:00 to 2026-03-16 02:55: write --since 2026-03-16.",
            files: enough
        ),
        BadInput("plan no.csv --for 10m", 66, "cannot read 'no.csv': No such file or directory"),
        BadInput(
            "plan --store no.sqlite --for 10m",
            66,
            "there is no store 'no.sqlite': sample or import first"
        ),
    ]

    @Test(arguments: try BadInput.cases("plan", files: enough))
    func `an impossible plan is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: histories)
    func `a history with too little data is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }
}
