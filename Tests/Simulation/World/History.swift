import Foundation
import SimulatedDisk
import SimulatedKernel

/// What a history had.
struct Counts: Codable {
    var processes = 0
    var rounds = 0
    var queries = 0
    var crashes = 0
    var writes = 0
    /// Transactions at the centre, and connections to it that broke.
    var commits = 0
    var cuts = 0
    /// Transactions that waited for another one.
    var waits = 0
    /// Pages that were read.
    var pages = 0
    /// Seconds in which a place measured, or waited for its next round. Nanoseconds would overflow after 292
    /// years.
    var time = 0.0

    mutating func add(_ other: Counts) {
        processes += other.processes
        rounds += other.rounds
        queries += other.queries
        crashes += other.crashes
        writes += other.writes
        commits += other.commits
        cuts += other.cuts
        waits += other.waits
        pages += other.pages
        time += other.time
    }
}

/// The history of a seed, which runs in a process of its own.
struct History {
    let seed: UInt64
    /// The numbers of its steps.
    var steps: [Int]
    var fault = simulated_disk_sound
    /// The folder with the socket of a PostgreSQL server; `nil` for the model.
    var server: String?

    static let allSteps = Array(0..<30)
    /// The maximum processor time in seconds.
    private static let patience: UInt32 = 120

    struct Result: Codable {
        var counts = Counts()
        var violation: String?
        var log: [String] = []
    }

    /// Starts the history. Returns the number of its process.
    func start() throws -> Int32 {
        let child = simulated_fork(Self.patience)
        guard child >= 0 else { throw Violation("fork: \(errno)") }
        if child == 0 { runHere() }
        return child
    }

    /// Runs the history in this process, writes its result, and ends the process.
    private func runHere() -> Never {
        var result = Result()
        let manager = FileManager.default
        do {
            try? manager.removeItem(at: folder)
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            Internet.begin()
            Centre.begin()
            let database = try server.map { try CentreDatabase("history_\(seed)", in: $0) }
            let world = try World(seed: seed, in: folder, fault: fault, Centre(database))
            do {
                for step in steps { try world.step(step) }
            } catch { result.violation = "\(error)" }
            result.counts = world.counts
            result.counts.writes = Int(simulated_disk_writes())
            result.log = world.log
        } catch { result.violation = "\(error)" }
        try? manager.removeItem(at: folder)
        // The folder differs from run to run.
        let own = { (text: String) in
            text.replacingOccurrences(of: folder.path, with: "")
        }
        (result.violation, result.log) = (result.violation.map(own), result.log.map(own))
        try? JSONEncoder().encode(result).write(to: file)
        _exit(0)
    }

    /// The result of the history, which ended with this exit code or negative signal.
    func result(_ status: Int32) -> Result {
        defer { try? FileManager.default.removeItem(at: file) }
        if status == 0, let data = try? Data(contentsOf: file),
            let result = try? JSONDecoder().decode(Result.self, from: data)
        {
            return result
        }
        return Result(violation: "the process of the history ended with \(status)")
    }

    // The files are in memory where the system has such a folder. The simulated disk decides what survives.
    private static let base: URL = {
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        return isThere ? memory : FileManager.default.temporaryDirectory
    }()

    /// A name that no other campaign uses.
    let campaign: Int32
    private var name: String { "simulation-\(campaign)-\(seed)" }
    private var folder: URL { Self.base.appending(path: name) }
    private var file: URL { Self.base.appending(path: "\(name).result") }
}
