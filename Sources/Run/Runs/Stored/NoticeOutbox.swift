import Catalogue
package import Failures
import HTTP
import RemoteWrite
package import Samples
package import Store

/// The notices that wait in a store for a web service.
///
/// A notice waits until the service accepts it. It is sent again only if the service cannot have accepted it:
/// without a connection, or after an HTTP error. If the answer to a request is missing, the notice is not sent
/// again.
package struct NoticeOutbox: Sendable {
    private let name: String
    private let key: String
    private let url: String
    private let receiver: Receiver

    /// `name` is the service in messages, and `key` identifies it in stores. Notices are posted to `url`.
    package init(_ name: String, key: String, _ url: String, _ receiver: Receiver) {
        (self.name, self.key, self.url, self.receiver) = (name, key, url, receiver)
    }

    /// Adds the body of a notice, unless the service had one about the same `event`.
    package func add(
        _ body: String,
        of event: String,
        now: Timestamp,
        in store: Store
    ) throws(Failure) {
        do throws(StoreError) {
            try store.enqueue(body, of: event, for: key, now: now)
        } catch {
            throw Failure(.inputOutput, "\(error)")
        }
    }

    /// Sends the notices that are due.
    package func deliver(_ attempt: RoundFollower.Attempt) async throws {
        let store = attempt.store
        let lost = try store.giveUpNotices(for: key, now: .now)
        if lost.expired > 0 {
            attempt.warn("\(name): \(lost.expired.counted("notice")) given up after 24 h")
        }
        if lost.interrupted > 0 {
            attempt.warn(
                "\(name): \(lost.interrupted.counted("notice")) not sent again, because an attempt was "
                    + "interrupted and may have succeeded"
            )
        }
        var open: HTTPConnection?
        while .now < attempt.deadline, let notice = try store.beginNotice(for: key, now: .now) {
            let verdict = verdict(on: notice, attempt, &open)
            let pause = Self.pause(after: notice.attempts)
            try store.endNotice(
                notice.id,
                waitingUntil: verdict.mayRepeat ? Timestamp.now.advanced(by: pause) : nil
            )
            // Each attempt of a long outage would print the same line.
            if let problem = verdict.problem, !verdict.mayRepeat || notice.attempts == 1 {
                let rest =
                    verdict.mayRepeat ? "the notice waits in the store" : "the notice is given up"
                attempt.warn("\(name): \(problem); \(rest)")
            }
            // The other notices would fail for the same reason.
            if verdict.mayRepeat { return }
        }
    }

    private func verdict(
        on notice: WaitingNotice,
        _ attempt: RoundFollower.Attempt,
        _ open: inout HTTPConnection?
    ) -> DeliveryVerdict {
        do throws(Failure) {
            let used = if let open { open } else { try connection(attempt) }
            open = used
            return DeliveryVerdict(used.post(Array(notice.body.utf8)))
        } catch {
            return DeliveryVerdict(problem: error.description, mayRepeat: true)
        }
    }

    private func connection(_ attempt: RoundFollower.Attempt) throws(Failure) -> HTTPConnection {
        try HTTPConnection(
            url,
            at: receiver.place(until: attempt.deadline, stop: attempt.stop).bracketed,
            fields: ["Content-Type: application/json", "User-Agent: dnstempo/\(Version.text)"],
            token: receiver.token,
            deadline: attempt.deadline,
            stop: attempt.stop
        )
    }

    /// The time until the next attempt: a minute, twice as long after each failure.
    private static func pause(after attempts: Int) -> Duration {
        min(.seconds(60) * (1 << min(attempts - 1, 10)), Store.longestNoticePause)
    }
}

/// The meaning of an answer for a notice.
private struct DeliveryVerdict {
    /// The reason why the notice was not accepted; `nil` if it was.
    var problem: String?
    /// Whether the notice may be sent again.
    var mayRepeat = false
}

extension DeliveryVerdict {
    init(_ answer: HTTPConnection.Answer) {
        switch answer.status {
        case 200..<300: self.init()
        case 0 where answer.wasSent:
            self.init(problem: "no answer after the notice was sent (\(answer.firstLine))")
        case 0: self.init(problem: "cannot be reached (\(answer.firstLine))", mayRepeat: true)
        case 408, 425, 429, 500...: self.init(problem: answer.told, mayRepeat: true)
        default: self.init(problem: "\(answer.told): see its URL, and its token")
        }
    }
}
