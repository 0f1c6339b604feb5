import Analysis
import DNSWire
import Fixtures
import Reports
import Samples
import Testing

struct InstrumentTrustTests {
    /// The figures of 200 queries. `rare` of them have the rare error and lateness.
    private struct Figures {
        var error: Int64 = 1_500
        var rareError: Int64 = 4_000
        var late: Int64 = 60_000
        var rare = 4
        var unstamped = 0
        var clockStep: Int64?
        var busy = 0.03
        var stolen = 0.0

        func check() throws -> InstrumentCheck {
            let usual = 200 - rare
            let errors =
                Array(repeating: error, count: usual) + Array(repeating: rareError, count: rare)
            var check = try #require(
                InstrumentCheck(
                    roundTrips: Array(repeating: 30_000, count: 200),
                    errors: errors,
                    clocks: [.kernel: 200 - unstamped, .user: unstamped],
                    wakeLateness: Array(repeating: 50_000, count: 200),
                    sendLateness: Array(repeating: 60_000, count: usual)
                        + Array(repeating: late, count: rare),
                    clockStep: clockStep
                )
            )
            check.use = ProcessorUse(busy: busy, stolen: stolen)
            return check
        }
    }

    private func codes(
        _ machine: Machine = .sound,
        idle: Figures = Figures(),
        loaded: Figures? = Figures()
    ) throws -> [String] {
        InstrumentTrust(of: machine, idle: try idle.check(), loaded: try loaded?.check())
            .faults.map(\.code)
    }

    @Test func `a sound machine is trusted`() throws {
        #expect(try codes() == [])
    }

    private static let faults: [(change: Figures, codes: [String])] = [
        (change: Figures(unstamped: 2), codes: []),
        (change: Figures(unstamped: 3), codes: ["no-kernel-stamps"]),
        (change: Figures(error: 100_000, rareError: 100_000), codes: []),
        (change: Figures(error: 100_001, rareError: 100_001), codes: ["round-trip-error"]),
        (change: Figures(rareError: 1_000_000), codes: []),
        (change: Figures(rareError: 1_000_001), codes: ["round-trip-error"]),
        (change: Figures(rareError: 1_000_001, rare: 1), codes: []),
        (change: Figures(late: 5_000_000), codes: []),
        (change: Figures(late: 5_000_001), codes: ["late-sends"]),
        (change: Figures(clockStep: -3_000_000), codes: ["clock-step"]),
        (change: Figures(busy: 0.9), codes: []),
        (change: Figures(busy: 0.91), codes: ["busy-cores"]),
        (change: Figures(stolen: 0.01), codes: []),
        (change: Figures(stolen: 0.011), codes: ["host-steal"]),
    ]

    @Test(arguments: faults)
    private func `faults when idle cause distrust`(change: Figures, codes: [String]) throws {
        #expect(try self.codes(idle: change) == codes)
    }

    @Test(arguments: [
        (change: Figures(unstamped: 3), codes: ["no-kernel-stamps"]),
        (change: Figures(rareError: 1_000_001), codes: ["round-trip-error"]),
        (change: Figures(clockStep: 3_000_000), codes: ["clock-step"]),
        // A busy machine is expected to send queries late.
        (change: Figures(late: 50_000_000, busy: 1), codes: []),
        (change: Figures(stolen: 0.011), codes: ["host-steal"]),
        (change: nil, codes: ["no-answer-under-load"]),
    ])
    private func `faults under load cause distrust`(change: Figures?, codes: [String]) throws {
        #expect(try self.codes(loaded: change) == codes)
    }

    @Test func `a coarse or emulated clock causes distrust`() throws {
        let sound = Machine.sound
        #expect(try codes(sound.with { $0.clockStep = 4_000_000 }) == ["coarse-clock"])
        #expect(try codes(sound.with { $0.clockSource = "hpet" }) == [])
        let virtual = sound.with { $0.isVirtual = true }
        for source in ["tsc", "kvm-clock", "xen", "arch_sys_counter"] {
            #expect(try codes(virtual.with { $0.clockSource = source }) == [])
        }
        for source in ["hpet", "acpi_pm", "refined-jiffies"] {
            #expect(try codes(virtual.with { $0.clockSource = source }) == ["virtual-clock"])
        }
        // A value that the system does not report is not a fault.
        let silent = Machine(kernel: "Darwin 24.0.0", architecture: "arm64", cores: 8)
        #expect(try codes(silent) == [])
    }

    private func report(_ machine: Machine, busy: Double = 0.03) throws -> InstrumentReport {
        InstrumentReport(
            InstrumentReadings(
                machine: machine,
                idle: try Figures(rareError: 1_500_000, busy: busy).check(),
                loaded: try Figures(rareError: 2_000_000).check(),
                threads: 4
            ),
            made: Timestamp(nanoseconds: 1_774_000_000_000_000_000),
            vantage: "home",
            toolVersion: "0.1.0"
        )
    }

    @Test func `the statement gives the result, the reasons and the remedy in order`() throws {
        let busy = Machine.sound.with {
            $0.load = 9
            $0.clockStep = 10_000_000
        }
        let report = try report(busy, busy: 0.97)
        // Errors on the idle machine and under load are one reason.
        #expect(
            report.headline
                == "Do not trust this machine to measure: large errors, a coarse clock, busy cores."
        )
        try Golden.expect(TextFormat().render(report), in: "instrument.txt")
        try Golden.expect(JSONFormat().render(report), in: "instrument.json")
    }

    @Test func `text from the system is escaped`() throws {
        let hostile = Machine.sound.with {
            $0.kernel = "Linux \u{1B}[2J<b>"
            $0.isVirtual = true
            $0.clockSource = "\u{1B}]0;x"
            $0.hypervisor = "\u{7}"
        }
        let report = try report(hostile)
        let page = HTMLFormat().render(report)
        for text in [TextFormat().render(report), page] {
            #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"))
        }
        #expect(!page.contains("J<b>"))
    }
}
