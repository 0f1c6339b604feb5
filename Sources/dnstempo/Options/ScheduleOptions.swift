import ArgumentParser
import Catalogue
import Failures
import Processes
import Runs
import Samples
import Scheduling

struct ScheduleNameOption: ParsableArguments {
    @Option(help: "Name of the schedule. (default: default; of a digest: digest)")
    var name: String?

    func wanted(ofDigest: Bool = false) throws(Failure) -> ScheduleName {
        try ScheduleName(name ?? (ofDigest ? "digest" : "default"))
    }
}

struct ScheduleOptions: ParsableArguments {
    @Option(
        help: """
            How often: 1m to 30m, 1h to 12h, 1d, as they divide the hour or the day. (default: 5m)
            """.naming("time"),
        completion: .list(["1m", "5m", "10m", "15m", "30m", "1h", "6h", "12h", "1d"])
    )
    var every: String?

    @Option(
        help: """
            Instead of rounds, a digest each Monday (weekly) or on the first day of each month \
            (monthly), at 07:00.
            """.naming("weekly|monthly"),
        completion: .list(["weekly", "monthly"])
    )
    var digest: String?

    @Option(
        help: "Start each round at random within this time after its slot, such as 30s."
            .naming("time")
    )
    var splay: String?

    @Option(
        help: "Store of the rounds. (default: $XDG_DATA_HOME/dnstempo/dnstempo.sqlite)"
            .naming("path"),
        completion: .file()
    )
    var store: String?

    @Argument(
        parsing: .allUnrecognized,
        help: """
            Resolvers and options for each round, as 'dnstempo sample' takes them; with --digest, \
            options of 'dnstempo digest'.
            """.naming("option")
    )
    var words: [String] = []

    func entry(_ naming: ScheduleNameOption) async throws -> ScheduleEntry {
        guard digest == nil else { return try entryOfDigest(naming) }
        let name = try naming.wanted()
        let every = every ?? "5m"
        let duration = try Duration.read(every, of: "--every") ?? .zero
        let interval = try ScheduleInterval(duration, written: every)
        let passed = try await SampleArguments(words, store: store)
        let chosen = store ?? passed.options[.store]
        let path =
            try chosen.map { try AbsolutePath.of(NamedStore.file($0)) }
            ?? AbsolutePath.ofDefaultStore()
        return ScheduleEntry(
            name: name,
            slots: .every(interval),
            command: try Self.command(
                ["sample", "-q", "--store", path, "--schedule", name.description]
                    + splay(within: interval) + passed.words
            ),
            installed: Self.present
        )
    }

    private static var present: String { Timestamp.now.description.prefix(19) + "Z" }

    private static func command(_ arguments: [String]) throws -> ScheduledCommand {
        try ScheduledCommand(
            binary: AbsolutePath.ofThisProgram(),
            arguments: arguments,
            configurationHome: AbsolutePath.ofConfigurations()
        )
    }

    private func entryOfDigest(_ naming: ScheduleNameOption) throws -> ScheduleEntry {
        try Failure.refuse([
            "--digest and --every cannot be combined: --digest sets the time": every != nil,
            "--digest and --splay cannot be combined: --splay is for rounds": splay != nil,
        ])
        let choices: KeyValuePairs<String, (slots: ScheduleSlots, over: String)> = [
            "weekly": (.weekly, "week"), "monthly": (.monthly, "month"),
        ]
        let (slots, over) = try (digest ?? "").choice(of: "--digest", among: choices)
        let words = try DigestArguments(words).words
        let path = try AbsolutePath.of(NamedStore.file(store ?? AbsolutePath.ofDefaultStore()))
        return ScheduleEntry(
            name: try naming.wanted(ofDigest: true),
            slots: slots,
            command: try Self.command(["digest", "--store", path, "--over", over] + words),
            installed: Self.present
        )
    }

    private func splay(within interval: ScheduleInterval) throws -> [String] {
        let duration = try Duration.read(splay, of: "--splay")
        guard let splay, let duration else { return [] }
        guard duration < interval.duration else {
            throw Failure.usage(
                "--splay \(splay): a round would begin in the next slot; choose less than \(interval)"
            )
        }
        return ["--splay", splay]
    }
}

/// Options for 'digest' that are kept for later. They are checked now, and do not depend on the current
/// folder.
private struct DigestArguments {
    let words: [String]

    init(_ written: [String]) throws {
        let command = try DigestCommand.parse(written)
        try Failure.refuse([
            "--digest sets the time of each digest: leave out --over, --since and --until":
                command.over != nil || command.window.since != nil
                || command.window.until != "now",
            "--digest reads one store: name it with --store, and no file":
                !command.window.file.isEmpty,
        ])
        try command.check()
        let output: @Sendable (String) throws -> String = { try AbsolutePath.of($0) }
        words = try KeptWords.of(written, values: ["-o": output, "--output": output])
    }
}

/// Options for 'sample' that are kept for later. They are checked now, and do not depend on the current
/// folder and environment.
struct SampleArguments {
    let words: [String]
    /// The options of the arguments, which take precedence over campaign and configuration.
    let options: RunOptions

    /// Arguments for rounds. `store` is the named store.
    init(_ written: [String], store: String?) async throws {
        let command = try SampleCommand.parse(written)
        if command.schedule != nil {
            throw Failure.usage("--schedule is added by itself; name the schedule with --name")
        }
        try command.check(store: store)
        // Problems are detected now, because the user is absent when the schedule runs.
        var request = try command.request()
        request.isForLater = true
        let builder = try await OrderBuilder(request, TerminalConsole())
        try await builder.check()
        options = builder.options
        try command.following.check(options)
        var words = try KeptWords.of(written, values: Self.values)
        // The list of names of a campaign or the configuration is relative to the user's folder, not to the
        // daemon's.
        let names = command.names
        if names.domains.isEmpty, names.domainsFile == nil, names.domainsFrom == nil,
            case .file(let path)? = options[.domains]
        {
            words = ["--domains", try AbsolutePath.of(path)] + words
        }
        // A restriction of this machine's networks applies to its scheduled rounds too.
        if command.choice.reach.allowNet == nil, let allowed = try AllowedNetworks.environment() {
            words = ["--allow-net", "\(allowed)"] + words
        }
        self.words = words
    }

    /// Makes values independent of the current folder, and keeps them within this environment's networks.
    private static let values: [String: @Sendable (String) throws -> String] = [
        "--domains-from": { ["firefox", "chromium"].contains($0) ? $0 : try AbsolutePath.of($0) },
        "--ca": { try AbsolutePath.of($0) },
        "--domains": { try AbsolutePath.of($0) },
        "--campaign": { try Campaign.bundledNames.contains($0) ? $0 : AbsolutePath.of($0) },
        "--lab": { try LabProfile.bundledNames.contains($0) ? $0 : AbsolutePath.of($0) },
        "--textfile": { try AbsolutePath.of($0) },
        "--remote-write-token": { try AbsolutePath.of($0) },
        "--otlp-token": { try AbsolutePath.of($0) },
        "--mqtt-login": { try AbsolutePath.of($0) },
        "--notify": { try NoticeRecipient.absolute($0) },
        "--notify-url": { try WebNoticeRecipient.absolute($0) },
        "--allow-net": { try AllowedNetworks.narrowed($0) },
    ]
}

/// Words of a command line that are kept for later.
private enum KeptWords {
    /// The `written` words, with the values of some options replaced.
    static func of(
        _ written: [String],
        values: [String: @Sendable (String) throws -> String]
    ) throws -> [String] {
        var words: [String] = []
        var written = written[...]
        while let word = written.popFirst() {
            if word == "--" { return words + [word] + written }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, let kept = values[parts[0]] {
                words.append("\(parts[0])=\(try kept(parts[1]))")
            } else if let kept = values[word], let value = written.popFirst() {
                words += [word, try kept(value)]
            } else {
                words.append(word)
            }
        }
        return words
    }
}
