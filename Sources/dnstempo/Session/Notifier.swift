import Reports
import Samples
import Store

/// Tells what happened to the resolvers once a round is stored, and remembers what was told.
///
/// What goes wrong with it is one line on standard error: the round is safe.
struct Notifier {
    private let recipients: [NoticeRecipient]
    private let warn: @Sendable (String) -> Void

    /// `nil` where nobody wants to be told; `warn` is called with what goes wrong.
    init?(
        _ options: NoticeOptions,
        warn: @escaping @Sendable (String) -> Void
    ) throws(Failure) {
        guard !options.notify.isEmpty else { return nil }
        var recipients: [NoticeRecipient] = []
        for word in options.notify { recipients.append(try NoticeRecipient(word)) }
        self.recipients = recipients
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
        let rules = NoticeRules(
            past: log.sent,
            now: now,
            clock: clock
        )
        let rounds = try store.latestResponses(from: vantage, count: Self.rounds)
        var notices = rules.reachability(rounds)
        if log.judged != hour {
            let hours = try hours(of: store, from: vantage, until: hour, clock)
            notices += rules.changes(in: hours, until: hour, judged: log.judged)
        }
        if !notices.isEmpty {
            let isDelivered = await deliver(
                NoticeDocument(
                    notices,
                    vantage: vantage,
                    now: now,
                    toolVersion: Version.text
                )
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

    /// Whether anybody took them.
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

    // MARK: - History

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
