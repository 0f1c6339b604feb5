import ArgumentParser
import Catalogue
import Failures
import HTTP
import Reports
import Runs
import Statistics

struct NoticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Program to run, or desktop, when a resolver becomes unreachable or recovers, a change \
            is established, or the error budget of --objective is spent too fast; repeatable. The \
            program gets JSON (dnstempo.notice/1) on standard input.
            """,
            valueName: "program"
        ),
        completion: .file(orWords: ["desktop"])
    )
    var notify: [String] = []

    @Option(
        help: """
            Post notices to a web service too, as json, slack, discord, ntfy or alertmanager; \
            @FILE: the URL is in a file; repeatable. Notices wait in the store while the service \
            cannot be reached.
            """.naming("[form=]url")
    )
    var notifyUrl: [String] = []

    @OptionGroup var promise: ObjectiveOption

    /// Whether notices are requested.
    var isUsed: Bool { !notify.isEmpty || !notifyUrl.isEmpty }

    func recipients(within allowed: AllowedNetworks) throws -> [any NoticeReceiver] {
        if !notifyUrl.isEmpty { try HTTPConnection.checkLibrary(for: "--notify-url") }
        return try notify.map { try NoticeRecipient($0) }
            + notifyUrl.map { try WebNoticeRecipient($0, within: allowed) }
    }

    /// Checks that the programs exist now, while the user is present and can correct a problem.
    func checkRecipients() throws(Failure) {
        for word in notify { _ = try NoticeRecipient.absolute(word) }
    }

    /// The objective of notices and of `metrics`. The command line takes precedence over `options`. An
    /// objective on the command line must have an effect.
    func objective(
        _ metrics: MetricsOptions,
        or options: RunOptions,
        onPages: Bool = false
    ) throws -> ServiceObjective? {
        guard let objective = try promise.wanted else { return try options.objective }
        try Failure.refuse([
            "--objective is reported by --notify and --textfile: add one, or use "
                + "report --objective":
                !onPages && !isUsed && metrics.textfile == nil,
            "--objective '\(objective)': \(objective.allowanceText) of the queries may fail, which "
                + "leaves no room to fail 6 times too often; choose 83.4 % or more, or leave "
                + "out --notify":
                isUsed && !BurnRule.canBurn(objective),
        ])
        return objective
    }
}
