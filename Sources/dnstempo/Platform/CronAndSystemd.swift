import Catalogue
import Failures
import Files
import LibC
import Processes
import Scheduling

/// The files of a schedule's units in the user's folder, and their state in systemd.
struct UserUnits {
    private let name: ScheduleName
    private let folder: String

    init(_ name: ScheduleName) throws {
        self.name = name
        folder = try Self.folder()
    }

    /// The folder of a user's units (systemd.unit(5), "User Unit Search Path").
    private static func folder() throws -> String {
        try AbsolutePath.ofConfigurations() + "/systemd/user"
    }

    /// Names of the schedules with units in the folder. Other services may have similar names.
    static func names() throws -> [ScheduleName] {
        let folder = try folder()
        return Folder.names(in: folder).sorted().compactMap { file in
            guard file.hasPrefix("dnstempo-"), file.hasSuffix(".service"),
                let text = try? InputFile.bytes("\(folder)/\(file)"),
                SystemdUnits.isOwn(service: String(decoding: text, as: UTF8.self))
            else { return nil }
            return try? ScheduleName(String(file.dropFirst(9).dropLast(8)))
        }
    }

    private var service: String { "\(folder)/\(SystemdUnits.serviceName(name))" }
    private var timer: String { "\(folder)/\(SystemdUnits.timerName(name))" }

    var exists: Bool { unsafe access(service, F_OK) == 0 }

    /// The installed schedule. Throws if a file of that name was not written by dnstempo.
    func read() throws -> ScheduleEntry? {
        guard exists else { return nil }
        let text = try String(decoding: InputFile.bytes(service), as: UTF8.self)
        guard let entry = SystemdUnits.entry(service: text), entry.heading.name == name else {
            throw Failure(
                .badData,
                "'\(service)' is not as dnstempo wrote it; move it away (nothing was changed)"
            )
        }
        return entry
    }

    private func write(_ units: SystemdUnits) throws {
        try Folder.create(ofFile: service)
        try OutputFiles.write([
            (service, Array(units.service.utf8)), (timer, Array(units.timer.utf8)),
        ])
    }

    /// Writes `units` if there are any, makes systemd read them, and starts the timer. On failure, new files
    /// are removed again, so that no boot starts an unknown timer.
    func install(_ units: SystemdUnits?) async throws {
        let isNew = !exists
        if let units { try write(units) }
        let requests = [["daemon-reload"], ["enable", "--now", SystemdUnits.timerName(name)]]
        guard let failure = try await ask(requests) else { return }
        if isNew { try removeFiles() }
        let state = isNew ? "nothing was installed" : "its units are written, and may not be read"
        throw Failure(
            .cannotCreate,
            "systemctl: \(failure.reason); \(state): log in as this user, so that there is a user "
                + "bus, and try again, or leave out --systemd to use cron"
        )
    }

    func remove() async throws {
        let disable = ["systemctl", "--user", "disable", "--now", SystemdUnits.timerName(name)]
        // Without its files, the timer would continue invisibly until the next boot.
        if let output = try await ChildProgram.run(disable), output.code != 0 {
            throw Failure(
                .cannotCreate,
                "systemctl: \(output.message); nothing was removed: make this work, then try again: "
                    + disable.joined(separator: " ")
            )
        }
        try removeFiles()
        if let failure = try await ask([["daemon-reload"]]) {
            Terminal.mention(
                "systemctl: \(failure.reason); run yourself: "
                    + failure.rest.joined(separator: " && ")
            )
        }
    }

    private func removeFiles() throws {
        for path in [timer, service] where unsafe unlink(path) != 0 && errno != ENOENT {
            throw Failure(.cannotCreate, "cannot remove '\(path)': \(reasonOfSystem())")
        }
    }

    /// Whether systemd reports the timer as active. `nil` if systemd is unavailable.
    func isActive() async throws -> Bool? {
        let words = ["systemctl", "--user", "is-active", SystemdUnits.timerName(name)]
        guard let output = try await ChildProgram.run(words) else { return nil }
        switch String(decoding: output.bytes, as: UTF8.self) {
        case "active\n": return true
        case "inactive\n", "failed\n", "unknown\n": return false
        default: return nil
        }
    }

    /// Runs systemctl for each command. Returns the error of the first failure, and the commands from there
    /// on.
    private func ask(
        _ requests: [[String]]
    ) async throws -> (reason: String, rest: [String])? {
        for (index, request) in requests.enumerated() {
            let output = try await ChildProgram.run(["systemctl", "--user"] + request)
            if output?.code == 0 { continue }
            let rest = requests[index...].map { "systemctl --user \($0.joined(separator: " "))" }
            return (output?.message ?? "there is no such program", rest)
        }
        return nil
    }
}

/// Prevents other processes of this program from changing the user's schedules at the same time.
enum ScheduleLock {
    /// The time limit, longer than a crontab program needs for reading and writing.
    private static let patience = Duration.seconds(30)

    /// Runs `body` while no other process runs one. The lock is on the home folder itself, so that no lock
    /// file is left. On a file system without locks, `body` runs without a lock.
    static func holding<Value>(_ body: () async throws -> Value) async throws -> Value {
        let home = try Environment["HOME"] ?? AbsolutePath.ofConfigurations()
        let descriptor = unsafe open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Closing the descriptor releases the lock.
        defer { if descriptor >= 0 { close(descriptor) } }
        let deadline = ContinuousClock.now + patience
        while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            guard ContinuousClock.now < deadline else {
                throw Failure(
                    .busy,
                    "another process is changing the schedules of '\(home)'; try again once it has ended"
                )
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try await body()
    }
}

/// The user's crontab, read and written with crontab(1).
enum CrontabProgram {
    private static func read() async throws -> Crontab {
        guard let crontab = try await readIfAny() else { throw missing }
        return crontab
    }

    /// The same as ``read()``, but `nil` if the system has no cron.
    static func readIfAny() async throws -> Crontab? {
        guard let output = try await ChildProgram.run(["crontab", "-l"]) else { return nil }
        if output.code == 0 { return try await Crontab(exact(output.bytes)) }
        if output.message.contains("no crontab for") { return try Crontab(nil) }
        throw Failure(.inputOutput, "cannot read the crontab: crontab -l: \(output.message)")
    }

    /// The exact crontab whose listing is `listed`. Debian's `crontab -l` shows a carriage return as `\r`,
    /// which would be written back literally. In this case, the file is read through an editor that only
    /// copies it.
    private static func exact(_ listed: [UInt8]) async throws -> [UInt8] {
        guard listed.contains(Array("\\r".utf8)) else { return listed }
        let editor = ["VISUAL=cat", "EDITOR=cat"]
        let copy = try await run(["-e"], environment: ChildProgram.usual + editor).bytes
        let shown = copy.split(separator: UInt8(ascii: "\r"), omittingEmptySubsequences: false)
            .joined(separator: Array("\\r".utf8))
        guard copy == listed || Array(shown) == listed else {
            throw Failure(
                .inputOutput,
                "crontab -l shows \\r, which may be a carriage return; remove it with 'crontab -e' "
                    + "(nothing was changed)"
            )
        }
        return copy
    }

    /// Changes the schedule `name`. Other programs use no lock, and the last writer of a crontab wins. The
    /// crontab is therefore read again after the change.
    static func change(
        _ name: ScheduleName,
        _ change: (Crontab) throws -> Crontab
    ) async throws -> (before: Crontab, after: Crontab) {
        let before = try await read()
        let after = try change(before)
        guard after != before else { return (before, after) }
        try await write(after)
        guard try await read().block(named: name)?.entry == after.block(named: name)?.entry else {
            throw Failure(
                .cannotCreate,
                "the crontab does not have the change of the schedule '\(name)' that was written: another"
                    + " program may have changed it; run the command again"
            )
        }
        return (before, after)
    }

    /// Replaces the whole crontab. An empty crontab is deleted.
    private static func write(_ crontab: Crontab) async throws {
        guard let bytes = crontab.bytes else { return try await replace(["-r"], by: []) }
        do {
            try await replace(["-"], by: bytes)
        } catch {
            // Most crontab programs reject a last line without a line break. The line existed before this
            // change.
            guard let last = bytes.last, last != UInt8(ascii: "\n") else { throw error }
            try await replace(["-"], by: bytes + [UInt8(ascii: "\n")])
            Terminal.mention("crontab requires a newline after its last line; a newline was added")
        }
    }

    private static func replace(_ arguments: [String], by bytes: [UInt8]) async throws(Failure) {
        let output = try await run(arguments, input: bytes)
        guard output.code != 0 else { return }
        throw Failure(
            .cannotCreate,
            "cannot write the crontab: crontab \(arguments[0]): \(output.message)"
        )
    }

    private static func run(
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String] = ChildProgram.usual
    ) async throws(Failure) -> ChildProgram.Output {
        let output = try await ChildProgram.run(
            ["crontab"] + arguments,
            input: input,
            environment: environment
        )
        guard let output else { throw missing }
        return output
    }

    private static let missing = Failure(
        .inputOutput,
        "there is no crontab program; install cron (Debian: apt-get install cron), or use --systemd"
    )
}
