@testable import Scheduling

/// Entries that the tests install.
enum Example {
    /// What a careless administrator would name things.
    static let wild = #"/home/o'neil/50% "off" \ $HOME/a\%b\'c"#

    static func entry(
        _ name: String = "default",
        every interval: ScheduleInterval? = nil,
        binary: String = "/usr/local/bin/dnstempo",
        arguments: [String] = ["sample", "--store", "/home/me/rounds.sqlite"],
        configurationHome: String? = nil,
        installed: String = "2026-11-21T05:02:00Z"
    ) throws -> ScheduleEntry {
        try ScheduleEntry(
            name: ScheduleName(name),
            interval: interval ?? ScheduleInterval(.seconds(300), written: "5m"),
            command: ScheduledCommand(
                binary: binary,
                arguments: arguments,
                configurationHome: configurationHome
            ),
            installed: installed
        )
    }

    static func interval(_ minutes: Int) throws -> ScheduleInterval {
        try ScheduleInterval(.seconds(60 * minutes), written: "\(minutes)m")
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same crontabs in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
