import Foundation
import SimulatedDisk
import SimulatedKernel

// Simulates histories, each from its own seed. Scripts/simulate describes the options.

unsafe simulated_fix_memory(CommandLine.unsafeArgv)

/// The options of the command line.
struct Options {
    var seed: UInt64?
    var first: UInt64 = 1
    var seconds: Int64 = 60
    /// The maximum number of histories.
    var histories = Int.max
    var jobs = 1
    var steps = History.allSteps
    var isShrinking = true
    var fault = simulated_disk_sound
    var server: String?

    init(_ words: ArraySlice<String>) throws {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--until-failure" {
                // Thirty years.
                seconds = 1_000_000_000
                continue
            }
            guard let value = rest.popFirst() else { throw Violation("\(word) needs a value") }
            switch (word, Int64(value), value) {
            case ("--seed", let number?, _) where number >= 0: seed = UInt64(number)
            case ("--from", let number?, _) where number >= 0: first = UInt64(number)
            case ("--histories", let number?, _) where number > 0: histories = Int(number)
            case ("--seconds", let number?, _) where (0...1_000_000).contains(number):
                seconds = number
            case ("--hours", let number?, _) where (0...1000).contains(number):
                seconds = number * 3600
            case ("--jobs", let number?, _) where (1...64).contains(number): jobs = Int(number)
            case ("--shrink", let number?, _): isShrinking = number != 0
            case ("--steps", _, _):
                steps = value.split(separator: ",").compactMap { Int($0) }
                guard !steps.isEmpty else { throw Violation("'\(value)' are not steps") }
            case ("--postgresql", _, _): server = value
            case ("--plant", _, "lost-sync"): fault = simulated_disk_loses_syncs
            case ("--plant", _, "lost-write"): fault = simulated_disk_loses_writes
            default: throw Violation("'\(word) \(value)' is not an option: see Scripts/simulate")
            }
        }
        // The roles of a server belong to all of its databases.
        if server != nil { jobs = 1 }
    }
}

do {
    let options = try Options(CommandLine.arguments.dropFirst())
    var campaign = Campaign(options)
    guard let (history, result) = try campaign.run() else {
        print(campaign.summary)
        print("no violation")
        exit(0)
    }
    print(campaign.summary)
    print("seed \(history.seed): \(result.violation ?? "")")
    let (smallest, found) =
        options.isShrinking ? try campaign.shrunk(history, result) : (history, result)
    for line in found.log { print(line) }
    let steps = smallest.steps.map(String.init).joined(separator: ",")
    print("--seed \(smallest.seed) --steps \(steps): \(found.violation ?? "")")
    exit(1)
} catch {
    FileHandle.standardError.write(Data("Simulation: \(error)\n".utf8))
    exit(64)
}
