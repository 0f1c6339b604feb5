import Processes
import SimulatedDisk
import SimulatedKernel
import dnstempo

/// A command of the program that runs as a process of a simulated machine.
final class SimulatedProcess: @unchecked Sendable {
    // Safe because one thread runs at a time, which the simulated kernel chooses.

    /// The process whose code runs now.
    @TaskLocal static var current: SimulatedProcess?

    let number: Int64
    let machine: Int
    let words: [String]
    /// The exit code; `nil` while the process runs.
    private(set) var code: Int32?
    private(set) var isKilled = false
    private let capture = CapturedOutput()
    private let interruptions = Signals.Interruptions()
    private var task: Task<Void, Never>?
    private static let numbers = Shared<Int64>(0)

    /// Starts the command with these words.
    init(_ words: [String], on machine: Int, home: String, zone: String) {
        Self.numbers.value += 1
        (number, self.machine, self.words) = (Self.numbers.value, machine, words)
        let environment = [
            "HOME": home, "TZ": zone, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "DNSTEMPO_ALLOW_NET": "127.0.0.0/8",
        ]
        task = Task.detached { [self, capture, interruptions] in
            code = await Self.$current.withValue(self) {
                await Dnstempo.run(
                    words,
                    environment: environment,
                    output: capture,
                    interruptions: interruptions
                )
            }
        }
    }

    /// The value of `--rounds` or `--max-rounds`; 0 without it.
    var rounds: Int {
        words.firstIndex { $0 == "--rounds" || $0 == "--max-rounds" }.flatMap { Int(words[$0 + 1]) }
            ?? 0
    }

    /// What the process wrote to its standard streams until it ended or was killed.
    var output: String { isKilled ? last.output : text(of: .output) }
    var errors: String { isKilled ? last.errors : text(of: .error) }
    private var last = (output: "", errors: "")
    private var isDead = false

    /// Ignores everything that the process writes from now on.
    func noteDeath() {
        guard !isDead else { return }
        last = (output, errors)
        isDead = true
    }

    private func text(of stream: Terminal) -> String {
        String(decoding: capture.bytes(of: stream), as: UTF8.self)
    }

    /// Ends the process like SIGTERM, or like SIGKILL if it does not handle the signal yet.
    func terminate() { if !interruptions.terminate() { kill() } }

    /// Ends the process like SIGKILL: nothing that it still does has an effect.
    func kill() {
        noteDeath()
        isKilled = true
        simulated_disk_die(number, 0)
        _ = interruptions.terminate()
        task?.cancel()
    }
}
