import Analysis
import Failures
import LibC
import Processes
import Reports
import Runs
import Samples
import Store

/// A recipient of notices. No shell interprets a notice: it is passed on standard input, or as one argument.
enum NoticeRecipient: NoticeReceiver, Hashable {
    case desktop
    /// A path, or a name for lookup in `PATH`.
    case program(String)

    init(_ word: String) throws(Failure) {
        guard !word.isEmpty else {
            throw Failure.usage("--notify: name a program, or write desktop")
        }
        self = word == "desktop" ? .desktop : .program(word)
    }

    /// The word in a form that does not depend on the current folder and `PATH`.
    static func absolute(_ word: String) throws(Failure) -> String {
        switch try NoticeRecipient(word) {
        case .desktop: return word
        case .program(let name):
            guard let path = try AbsolutePath.ofProgram(name) else {
                throw Failure.usage(
                    "--notify: '\(name)' is not an executable program; write the path of one, or "
                        + "desktop"
                )
            }
            return path
        }
    }

    private static let limit = Duration.seconds(10)

    func tell(
        _ notices: [Notice],
        from vantage: String,
        now: Timestamp,
        on clock: LocalClock,
        in store: Store
    ) async throws(Failure) {
        let document = NoticeDocument(
            notices,
            vantage: vantage,
            now: now,
            clock: clock,
            toolVersion: Version.text
        )
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
