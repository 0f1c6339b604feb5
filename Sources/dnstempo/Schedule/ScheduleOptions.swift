import ArgumentParser
import Catalogue
import Samples
import Scheduling

/// Which schedule is meant.
struct ScheduleNameOption: ParsableArguments {
    @Option(help: "Tells several schedules apart.")
    var name = "default"
}

/// What a schedule is to run, and how often.
struct ScheduleOptions: ParsableArguments {
    @Option(help: "How often: 1m to 30m, 1h to 12h, 1d, as they divide the hour or the day.")
    var every = "5m"

    @Option(help: "Start each round at random within this time after its slot, such as 30s.")
    var splay: String?

    @Option(
        help: ArgumentHelp(
            "Where rounds are kept. (default: $XDG_DATA_HOME/dnstempo/dnstempo.sqlite)",
            valueName: "path"
        )
    )
    var store: String?

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "Resolvers and options for each round, as 'dnstempo sample' takes them.",
            valueName: "sample-option"
        )
    )
    var sample: [String] = []

    /// The schedule as it would be installed now.
    func entry(named name: ScheduleName) throws -> ScheduleEntry {
        let interval = try ScheduleInterval(duration(every, option: "--every"), written: every)
        let passed = try SampleArguments(sample)
        return ScheduleEntry(
            name: name,
            interval: interval,
            command: try ScheduledCommand(
                binary: AbsolutePath.ofThisProgram(),
                arguments: ["sample", "-q", "--store", storePath()]
                    + ["--schedule", name.description] + splay(within: interval) + passed.words,
                configurationHome: AbsolutePath.ofConfigurations()
            ),
            installed: String(Timestamp.now.seconds.description.prefix(19)) + "Z"
        )
    }

    private func storePath() throws -> String {
        try store.map { try AbsolutePath.of($0) } ?? AbsolutePath.ofDefaultStore()
    }

    private func splay(within interval: ScheduleInterval) throws -> [String] {
        guard let splay else { return [] }
        guard try duration(splay, option: "--splay") < interval.duration else {
            throw Failure(
                .usage,
                "--splay \(splay): a round would begin in the next slot; choose less than \(interval)"
            )
        }
        return ["--splay", splay]
    }

    private func duration(_ text: String, option: String) throws -> Duration {
        do {
            return try DurationText.parse(text)
        } catch {
            throw Failure(.usage, "\(option): \(error)")
        }
    }
}

extension Timestamp {
    /// Without the fraction of a second.
    fileprivate var seconds: Timestamp {
        Timestamp(nanoseconds: nanoseconds - nanoseconds % 1_000_000_000)
    }
}
