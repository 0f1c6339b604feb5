import Foundation
import SimulatedDisk

// Simulates histories of stores, each from its own seed. Scripts/simulate describes the options.

private let eventsOfHistory = 60

private func fail(_ words: String) -> Never {
    FileHandle.standardError.write(Data("Simulation: \(words)\n".utf8))
    exit(64)
}

private struct Options {
    var seed: UInt64?
    var seconds: UInt64 = 60
    var fault = simulated_disk_sound

    init(_ words: ArraySlice<String>) {
        var rest = words
        while let word = rest.popFirst() {
            guard let value = rest.popFirst() else { fail("\(word) needs a value") }
            switch (word, UInt64(value), value) {
            case ("--seed", let number?, _): seed = number
            case ("--seconds", let number?, _) where number <= 1_000_000: seconds = number
            case ("--plant", _, "lost-sync"): fault = simulated_disk_loses_syncs
            case ("--plant", _, "lost-write"): fault = simulated_disk_loses_writes
            default: fail("'\(word) \(value)' is not an option: see Scripts/simulate")
            }
        }
    }
}

/// Runs the history of a seed. Returns its world, and the violation if there is one.
private func history(_ seed: UInt64, in folder: URL, _ options: Options) -> (World?, String?) {
    var world: World?
    do {
        world = try World(seed: seed, in: folder, fault: options.fault)
        for _ in 0..<eventsOfHistory { try world?.step() }
        return (world, nil)
    } catch {
        return (world, "\(error)")
    }
}

private let options = Options(CommandLine.arguments.dropFirst())
guard simulated_disk_install() == 0 else { fail("SQLite refuses the simulated disk") }
private let clock = ContinuousClock()
private let end = clock.now.advanced(by: .seconds(Int64(options.seconds)))
// The files are in memory where the system has such a folder. The simulated disk decides what survives.
private let memory = URL(filePath: "/dev/shm")
private let base =
    FileManager.default.isWritableFile(atPath: memory.path)
    ? memory : FileManager.default.temporaryDirectory
private let root = base.appending(path: "simulation-\(getpid())")
private var (histories, crashes, rounds, seconds) = (0, 0, 0, 0.0)
private var violation: String?
private var seed = options.seed ?? 1
repeat {
    try? FileManager.default.removeItem(at: root)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let (world, found) = history(seed, in: root, options)
    histories += 1
    crashes += world?.crashes ?? 0
    rounds += world?.rounds ?? 0
    seconds += world?.seconds ?? 0
    if let found {
        for line in world?.log ?? [] { print(line) }
        violation = "seed \(seed): \(found)"
    }
    seed += 1
} while options.seed == nil && violation == nil && clock.now < end
try? FileManager.default.removeItem(at: root)
private let years = Int(seconds / 31_557_600)
print(
    "\(histories) histories, \(years) place-years, \(rounds) rounds, \(crashes) crashes, "
        + "\(simulated_disk_writes()) writes"
)
print(violation ?? "no violation")
exit(violation == nil ? 0 : 1)
