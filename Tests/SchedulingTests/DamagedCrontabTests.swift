import Failures
import Scheduling
import Testing

struct DamagedCrontabTests {
    private static let begin =
        "# BEGIN dnstempo schedule default: every 5m, installed 2026-11-21T05:02:00Z\n"
    private static let line = "*/5 * * * * /usr/local/bin/dnstempo sample\n"
    private static let end = "# END dnstempo schedule default\n"

    @Test(arguments: [
        (begin + line, "line 2 of the crontab begins the schedule 'default', which never ends"),
        (line + end, "line 3 of the crontab ends a schedule that does not begin"),
        (begin + begin + line + end, "line 3 of the crontab begins a schedule inside 'default'"),
        (
            begin + line + end + begin + line + end,
            "line 5 of the crontab begins the schedule 'default' a second time"
        ),
        (
            begin + line + "# END dnstempo schedule other\n",
            "line 4 of the crontab ends another schedule than 'default', which is open"
        ),
        (begin + end, "line 3 of the crontab ends the schedule 'default', whose line is missing"),
        (
            begin + line + "0 3 * * * backup\n" + end,
            "line 4 of the crontab is not dnstempo's but is inside its schedule 'default'"
        ),
        (
            "# BEGIN dnstempo schedule default\n" + line + end,
            "line 2 of the crontab is not the marker that dnstempo wrote"
        ),
        (
            "# BEGIN dnstempo schedule -x: every 5m, installed now\n" + line + end,
            "line 2 of the crontab is not the marker that dnstempo wrote"
        ),
        (
            "# BEGIN dnstempo schedule a: every 7m, installed now\n" + line + end,
            "line 2 of the crontab is not the marker that dnstempo wrote"
        ),
        (
            "# BEGIN dnstempo schedule a: every 5m, installed now, twice\n" + line + end,
            "line 2 of the crontab is not the marker that dnstempo wrote"
        ),
    ])
    func `damaged markers are rejected in one line`(text: String, message: String) {
        let error = #expect(throws: Failure.self) {
            try Crontab(Array(("# mine\n" + text).utf8))
        }
        #expect(error?.status == .badData)
        #expect(
            error?.description
                == "\(message); repair it with 'crontab -e' (nothing was changed)"
        )
    }
}
