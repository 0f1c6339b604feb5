import Analysis
import ArgumentParser
import Catalogue
import Reports
import Samples
import Statistics
import Store

/// Tells what happened to the resolvers once a round is stored, and remembers what was told.
///
/// A failure of it is one line on standard error: the round is safe.
struct Notifier {
    private let recipients: [NoticeRecipient]
    private let objective: ServiceObjective?
    private let warn: @Sendable (String) -> Void

    /// `nil` where nobody wants to be told; `warn` is called with what goes wrong.
    init?(
        _ options: NoticeOptions,
        objective: ServiceObjective? = nil,
        warn: @escaping @Sendable (String) -> Void
    ) throws(Failure) {
        guard !options.notify.isEmpty else { return nil }
        self.objective = objective
        recipients = try options.notify.map { word throws(Failure) in try NoticeRecipient(word) }
        self.warn = warn
    }

    /// Looks at the round that was stored last from a place, and once an hour for changes; returns
    /// when everybody was told, at the latest after ten seconds for each.
    func roundStored(in store: Store, from vantage: String) async {
        // Not where the instrument runs, and to its end even where the rounds are not gone on with.
        await Task.detached {
            do { try await tell(of: store, from: vantage) } catch {
                warn(Failure(describing: error).description)
            }
        }.value
    }

    private func tell(of store: Store, from vantage: String) async throws {
        let now = Timestamp.now
        let log = try store.noticeLog(from: vantage)
        let hour = now.startOfHour
        let clock = LocalClock.system(from: now.advanced(by: .zero - ChangesReport.lead), to: now)
        let rules = NoticeRules(past: log.sent, now: now, clock: clock)
        let rounds = try store.latestResponses(from: vantage, count: Self.rounds)
        var notices = rules.reachability(rounds)
        if log.judged != hour {
            let hours = try hours(of: store, from: vantage, until: hour, clock)
            notices += rules.changes(in: hours, until: hour, judged: log.judged)
        }
        if let objective {
            notices += try burning(objective, in: store, from: vantage, rounds, rules)
        }
        if !notices.isEmpty {
            let isDelivered = await deliver(
                NoticeDocument(notices, vantage: vantage, now: now, toolVersion: Version.text)
            )
            try store.note(
                notices.map { notice in
                    SentNotice(
                        target: notice.target,
                        kind: notice.kind.rawValue,
                        since: notice.since,
                        sent: now,
                        isDelivered: isDelivered
                    )
                },
                from: vantage
            )
        }
        if log.judged != hour { try store.noteJudged(until: hour, from: vantage) }
    }

    private func deliver(_ document: NoticeDocument) async -> Bool {
        var isDelivered = false
        for recipient in recipients {
            do {
                try await recipient.tell(document)
                isDelivered = true
            } catch {
                warn("--notify: \(error.description)")
            }
        }
        return isDelivered
    }

    /// Resolvers whose error budget is used up too fast, by the rounds before the last one.
    private func burning(
        _ objective: ServiceObjective,
        in store: Store,
        from vantage: String,
        _ rounds: [RoundResponses],
        _ rules: NoticeRules
    ) throws -> [Notice] {
        let starts = rounds.map(\.started)
        let gaps = zip(starts.dropFirst(), starts).map { $0.since($1) / .seconds(1) }
        guard let last = rounds.last?.started, let interval = gaps.median else { return [] }
        let windows = BurnRule.rules(interval: interval)
        func counts(_ seconds: Double) throws -> [Recording.Target: [ObjectiveRound]] {
            let window = Store.Window(
                since: last.advanced(by: .seconds(-seconds)),
                origins: [.sample, .watch],
                tellsAnswers: false
            )
            return try store.recording(window).rounds(within: objective, from: vantage)
        }
        // The long window is many rounds, and seldom needed.
        let suspects = try counts(windows.map(\.short).max() ?? 0).filter { _, rounds in
            windows.contains { $0.mayBurn(objective, in: rounds) }
        }
        guard !suspects.isEmpty else { return [] }
        let counts = try counts(windows.map(\.long).max() ?? 0).filter { target, _ in
            suspects[target] != nil
        }
        return rules.burning(objective, counts, by: windows)
    }

    /// So many rounds of each resolver tell since when it does not respond.
    private static let rounds = 8

    /// The hours of a place that are over; the first is the same for a whole day, so that what
    /// was found does not move with it.
    private func hours(
        of store: Store,
        from vantage: String,
        until end: Timestamp,
        _ clock: LocalClock
    ) throws -> HistoryHours {
        var hours = HistoryHours(clock: clock)
        let start = end.advanced(by: .zero - ChangesReport.lead).startOfDay
        let window = Store.Window(since: start, until: end, origins: [.sample, .watch])
        try store.forEachRollup(window) { rollup in
            if rollup.vantage == vantage { hours.add(rollup) }
        }
        return hours
    }
}

extension Timestamp {
    /// UTC, as all of these.
    fileprivate var startOfHour: Timestamp { rounded(downTo: 3_600_000_000_000) }
    var startOfDay: Timestamp { rounded(downTo: 86_400_000_000_000) }

    private func rounded(downTo unit: Int64) -> Timestamp {
        let rest = nanoseconds % unit
        return advanced(by: .nanoseconds(-(rest < 0 ? rest + unit : rest)))
    }
}

/// A recipient of notices. No shell sees any of it: a notice goes to standard input, or as one
/// argument.
enum NoticeRecipient: Hashable {
    case desktop
    /// A path, or a name to be looked up in `PATH`.
    case program(String)

    init(_ word: String) throws(Failure) {
        guard !word.isEmpty else {
            throw Failure.usage("--notify: name a program, or write desktop")
        }
        self = word == "desktop" ? .desktop : .program(word)
    }

    /// The word as it has to be written where the folder and `PATH` are others.
    static func absolute(_ word: String) throws(Failure) -> String {
        switch try NoticeRecipient(word) {
        case .desktop: return word
        case .program(let name):
            guard let path = try AbsolutePath.ofProgram(name) else {
                throw Failure.usage(
                    "--notify: '\(name)' is no program that can be run; write the path of one, or "
                        + "desktop"
                )
            }
            return path
        }
    }

    private static let limit = Duration.seconds(10)

    /// Hands the notices over; an error says why they were not taken.
    func tell(_ document: NoticeDocument) async throws(Failure) {
        let words = words(for: document)
        let isDesktop = self == .desktop
        let output = try await ChildProgram.run(
            words,
            input: isDesktop ? [] : Array(document.json.utf8),
            environment: isDesktop ? ChildProgram.usual + Self.session : Environment.all,
            limit: Self.limit
        )
        guard let output else {
            throw Failure(.noInput, "there is no program '\(words[0])'")
        }
        guard output.code == 0 else {
            let how = output.code < 0 ? "was ended by a signal" : "ended with \(output.code)"
            throw Failure(.inputOutput, "'\(words[0])' \(how): \(output.message)")
        }
    }

    private func words(for document: NoticeDocument) -> [String] {
        switch self {
        case .program(let path): [path]
        case .desktop:
            #if os(macOS)
            [
                "osascript", "-e", "on run argv", "-e",
                "display notification (item 2 of argv) with title (item 1 of argv)",
                "-e", "end run", document.title, document.plainBody,
            ]
            #else
            ["notify-send", "--app-name=dnstempo", "--", document.title, document.body]
            #endif
        }
    }

    /// The variables of the user's desktop session, which cron does not set.
    private static var session: [String] {
        guard Environment["DBUS_SESSION_BUS_ADDRESS"] == nil else { return [] }
        let folder = "/run/user/\(getuid())"
        guard unsafe access("\(folder)/bus", F_OK) == 0 else { return [] }
        return ["DBUS_SESSION_BUS_ADDRESS=unix:path=\(folder)/bus", "XDG_RUNTIME_DIR=\(folder)"]
    }
}

struct NoticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Program to tell, or desktop, when a resolver becomes unreachable or recovers, a change \
            is established, or the error budget of --objective is used up too fast; repeatable. It \
            gets JSON (dnstempo.notice/1) on standard input.
            """,
            valueName: "program"
        ),
        completion: .file(orWords: ["desktop"])
    )
    var notify: [String] = []

    @OptionGroup var promise: ObjectiveOption

    /// The objective of notices and of `metrics`: that of the command line, which has to be of use,
    /// else that of `options`.
    func objective(_ metrics: MetricsOptions, or options: RunOptions) throws -> ServiceObjective? {
        guard let objective = try promise.wanted else { return try options.objective }
        try Failure.refuse([
            "--objective is told by --notify and --textfile: add one, or use report --objective":
                notify.isEmpty && metrics.textfile == nil,
            "--objective '\(objective)': \(objective.allowanceText) of the queries may fail, which "
                + "leaves no room to fail 6 times too often; choose 83.4 % or more, or leave "
                + "out --notify":
                !notify.isEmpty && !BurnRule.canBurn(objective),
        ])
        return objective
    }
}
