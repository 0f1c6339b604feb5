import Foundation
import Samples
import SimulatedDisk
import SimulatedKernel
import Store

/// Processes that run at a place at the same time, and what they may have changed.
struct Episode {
    private final class Running {
        let process: SimulatedProcess
        let began: UInt64
        /// The number of jobs after which the process is killed, and whether the power fails.
        var death: (jobs: UInt64, isPowerCut: Bool)?
        /// Whether a process that dies during a write dies of a power cut.
        var isPowerCutDuringWrite = false
        private let faults: [Fault]

        init(_ process: SimulatedProcess, _ faults: [Fault]) {
            self.process = process
            self.faults = faults
            began = simulated_jobs()
        }

        var isRunning: Bool { process.code == nil }
        /// Whether a fault may end the process before its work is done.
        var mayEndEarly: Bool { faults.contains(where: \.endsProcess) }
        var hasFailingDisk: Bool { faults.contains(where: \.isFailingDisk) }
    }

    private let world: World
    private let place: Place
    private var running: [Running] = []
    private var isPowerCut = false
    private var conditions: Truth.Conditions
    /// The limits of the prune: the `known` rounds before the first must be pruned, rounds before the second
    /// may be.
    private var pruned: (must: Timestamp, may: Timestamp, known: Set<Expected.Key>)?
    private var merged: Place?
    private let suspensions = Shared<[Int64]>([])
    /// The number of rounds that the processes measured and stored.
    private var stored = 0
    /// The rounds that were stored and not pruned.
    private var measured: [Recording] = []

    /// The exit codes that the documentation lists, in addition to 0.
    private static let codes: Set<Int32> = [1, 64, 65, 66, 69, 71, 73, 74, 75, 78, 130]
    private static let mostJobs: UInt64 = 400_000

    init(_ world: World, at place: Place) {
        (self.world, self.place) = (world, place)
        conditions = Truth.Conditions(began: place.now)
        conditions.isCut = !Internet.current.machines[place.index].isOnline
    }

    // MARK: Processes

    @discardableResult
    mutating func start(_ words: [String], _ faults: [Fault] = []) throws -> SimulatedProcess {
        let one = Running(world.start(words, at: place, faults), faults)
        running.append(one)
        for fault in faults { apply(fault, to: one) }
        return one.process
    }

    /// The prune of samples that are older than this many hours.
    mutating func prune(_ hours: Int, _ faults: [Fault] = []) throws {
        // The samples of rounds that are pruned now cannot be compared later.
        if !running.isEmpty { try accept(isEnd: false) }
        place.isPruned = true
        let now = Timestamp(nanoseconds: place.now).advanced(by: .seconds(-hours * 3600))
        pruned = (now, now.advanced(by: .seconds(3600)), Set(place.expected.rounds.keys))
        try start(
            ["store", "prune", "--older-than", "\(hours)h", "--store", place.store, "-q"],
            faults
        )
    }

    mutating func merge(_ other: Place, _ faults: [Fault]) throws {
        merged = other
        place.isPruned = place.isPruned || other.isPruned
        try start(["store", "merge", other.store, "--store", place.store, "-q"], faults)
    }

    private mutating func apply(_ fault: Fault, to one: Running) {
        let (machine, number) = (place.index, one.process.number)
        let trouble = { simulated_disk_begin_trouble(number, $0, $1, $2) }
        let whileRunning = { (after: Int64, body: @escaping () -> Void) in
            Kernel.after(after) { if one.isRunning { body() } }
        }
        switch fault {
        case .kill(let jobs): one.death = (one.began + jobs, false)
        case .powerCut(let jobs): one.death = (one.began + jobs, true)
        case .laterPowerCut(let after): whileRunning(after) { one.death = (simulated_jobs(), true) }
        case .killDuringWrite(let count, let isPowerCut):
            one.isPowerCutDuringWrite = isPowerCut
            simulated_disk_die(number, count)
        case .fullDisk(let after, let count): trouble(simulated_disk_full, after, count)
        case .failingDisk(let after, let count): trouble(simulated_disk_failing, after, count)
        case .failingSyncs(let after, let count):
            trouble(simulated_disk_failing_syncs, after, count)
        case .busyStore(let after, let count): trouble(simulated_disk_busy, after, count)
        case .clockStep(let after, let by):
            conditions.isStepped = true
            whileRunning(after) { simulated_step(Int32(machine), by) }
        case .suspension(let after, let time):
            conditions.isStopped = true
            let moments = suspensions
            whileRunning(after) {
                moments.value.append(Kernel.now)
                simulated_suspend(time)
            }
        case .stop(let after, let time):
            conditions.isStopped = true
            whileRunning(after) { simulated_pass(time) }
        case .offline(let after, let time):
            conditions.isCut = true
            whileRunning(after) { Internet.current.machines[machine].isOnline = false }
            Kernel.after(after + time) { Internet.current.machines[machine].isOnline = true }
        case .newAddress(let after):
            conditions.isCut = true
            whileRunning(after) { Internet.current.machines[machine].address += 1 }
        case .terminate(let after): whileRunning(after) { one.process.terminate() }
        }
    }

    /// Lets the processes run for some time, or until all have ended.
    mutating func run(for time: Int64) throws {
        let running = running
        let end = Kernel.now + time
        let most = simulated_jobs() + Self.mostJobs
        while true {
            let isDue = { (one: Running) in
                guard !one.process.isKilled else { return false }
                if one.isRunning, let death = one.death, simulated_jobs() >= death.jobs {
                    return true
                }
                return simulated_disk_is_dead(one.process.number) != 0
            }
            Kernel.run(for: end - Kernel.now) {
                running.contains(where: isDue) || !running.contains(where: \.isRunning)
                    || simulated_jobs() > most
            }
            for one in running where isDue(one) { kill(one) }
            if Kernel.now >= end || !running.contains(where: \.isRunning) { return }
            guard simulated_jobs() <= most else { throw Violation("a process runs without end") }
        }
    }

    private mutating func kill(_ one: Running) {
        let isCut = one.death?.isPowerCut ?? one.isPowerCutDuringWrite
        isPowerCut = isPowerCut || isCut
        world.counts.crashes += 1
        world.note(place, isCut ? "power cut" : "killed")
        for other in running where other === one || other.isRunning && isCut {
            other.process.kill()
        }
    }

    // MARK: The end

    /// Waits until all processes have ended, and checks the place. Returns their outputs.
    @discardableResult
    mutating func finish(within limit: Int64) throws -> [String] {
        try run(for: limit)
        guard !running.contains(where: \.isRunning) else {
            throw Violation("a process did not end within \(limit / 1_000_000_000) s")
        }
        // After failed synchronisations, a power cut shows whether the last announcements were true.
        let failures = running.contains(where: \.hasFailingDisk)
        if !isPowerCut, world.random.isOnce(in: failures ? 2 : 6) {
            world.note(place, "power cut after the end")
            isPowerCut = true
        }
        // A round that was shipped may be lost before it was seen here.
        if isLossy { place.hasLost = true }
        if isPowerCut { unsafe simulated_disk_cut("\(place.folder)/") }
        for one in running {
            let process = one.process
            let end = process.isKilled ? "ended" : "exit \(process.code ?? 0)"
            let words = (process.output + process.errors).split(separator: "\n").suffix(6)
            world.note(place, "\(process.words[0]): \(end) \(words.joined(separator: " | "))")
            guard process.isKilled || process.code == 0 || Self.codes.contains(process.code ?? 0)
            else { throw Violation("exit code \(process.code ?? 0) of \(process.words)") }
        }
        try accept(isEnd: true)
        Internet.current.forget(place.index)
        return running.filter { !$0.process.isKilled }.map(\.process.output)
    }

    /// Accepts what the processes may have changed, and checks everything else.
    private mutating func accept(isEnd: Bool) throws {
        guard FileManager.default.fileExists(atPath: place.store) else {
            guard place.expected.rounds.isEmpty || isPowerCut && place.durability == .off else {
                throw Violation("the store is gone")
            }
            place.expected = Expected()
            place.hasLost = true
            return
        }
        var check: StoreCheck
        do {
            check = try StoreCheck(place.store, place.durability)
        } catch let error as StoreError {
            // Without synchronisation a power cut may damage a store, but never silently.
            guard isPowerCut, place.durability == .off, error.damage != nil else { throw error }
            return replaceStore()
        }
        guard check.findings.isEmpty else {
            if isPowerCut, place.durability == .off { return replaceStore() }
            throw Violation("store check: \(check.findings.joined(separator: "; "))")
        }
        try acceptLosses(check)
        try acceptNew(check, isEnd: isEnd)
        acceptPruned(check)
        if isEnd { try checkTimes() }
        try check.compare(with: place.expected)
    }

    private func replaceStore() {
        world.note(place, "the store is damaged, and a new one begins")
        place.hasLost = true
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: place.store + end)
        }
        place.expected = Expected()
    }

    /// A power cut loses the last announced rounds unless the durability is full.
    private func acceptLosses(_ check: StoreCheck) throws {
        for (key, entry) in place.expected.rounds where check.rounds[key] == nil {
            guard isLossy || isPowerCut && !entry.isAnnounced else {
                throw Violation("round \(key) is missing, which was stored")
            }
            place.expected.remove(key)
            place.hasLost = true
        }
    }

    /// Whether announced rounds may be lost.
    private var isLossy: Bool { isPowerCut && place.durability != .full }

    private var announced: Int {
        running.reduce(0) { total, one in
            switch one.process.words[0] {
            case "sample": total + (one.process.code == 0 && !one.process.isKilled ? 1 : 0)
            case "watch":
                total
                    + one.process.output.split(separator: "\n")
                    .count { $0.hasPrefix("round ") && $0.hasSuffix("; stored") }
            default: total
            }
        }
    }

    /// New rounds are those of a merged store, or those that the processes measured.
    private mutating func acceptNew(_ check: StoreCheck, isEnd: Bool) throws {
        conditions.suspensions = suspensions.value
        for (key, recording) in check.rounds where place.expected.rounds[key] == nil {
            if let entry = merged?.expected.rounds[key] {
                place.expected.add(entry)
            } else {
                try Truth(place, conditions).check(recording, check.isPruned(key))
                place.expected.add(recording, isAnnounced: !isPowerCut && !hasFailed)
                stored += 1
                if !check.isPruned(key) { measured.append(recording) }
                world.counts.rounds += 1
            }
        }
        // Pages announce no round.
        let mayHaveMore = hasFailed || !isEnd || isServing
        guard stored <= announced || mayHaveMore, stored >= announced || isLossy else {
            throw Violation(
                "\(announced) rounds were announced as stored, and \(stored) are stored"
            )
        }
        guard let merged, let one = running.last, one.process.code == 0, !one.process.isKilled
        else { return }
        for key in merged.expected.rounds.keys where check.rounds[key] == nil {
            throw Violation("round \(key) of \(merged.vantage) was not merged")
        }
    }

    /// Whether a process was killed or reported an error.
    private var hasFailed: Bool {
        running.contains { $0.process.isKilled || $0.process.code != 0 }
    }

    private var isServing: Bool { running.contains { $0.process.words[0] == "serve" } }

    /// Seconds between two rounds.
    private var interval: Int { isServing ? Place.servedInterval : place.interval }

    /// Rounds for one store do not overlap, and those of a watch have their interval. A watch without a fault
    /// measures all of its rounds. Each name is asked once, apart from the warm-up.
    private func checkTimes() throws {
        for one in running where one.process.words[0] == "watch" && !one.mayEndEarly {
            let lines = one.process.output.split(separator: "\n").count { $0.hasSuffix("; stored") }
            guard one.process.code != 0 || one.process.isKilled || lines == one.process.rounds
            else {
                throw Violation("a watch stored \(lines) rounds of \(one.process.rounds)")
            }
        }
        guard !conditions.isDisturbed else { return }
        let timeout = Int64(place.timeout) * 1_000_000_000
        let spans = measured.compactMap { $0.span(timeout) }.sorted { $0.start < $1.start }
        for (earlier, later) in zip(spans, spans.dropFirst()) {
            guard earlier.end <= later.start else {
                throw Violation("rounds of \(earlier.run) and \(later.run) overlap")
            }
            guard
                earlier.run != later.run || running.count > 1
                    || later.start - earlier.start > Int64(interval) * 700_000_000
            else { throw Violation("two rounds of \(later.run) began within its interval") }
        }
        try checkQueries()
    }

    private func checkQueries() throws {
        var asked: [[String]: Int] = [:]
        for question in Internet.current.questions.values.joined()
        where DNSQuery.names.contains(question.name) && !question.isOverTCP {
            asked[["\(question.process)", question.name, "\(question.address)"], default: 0] += 1
        }
        for one in running where one.process.code == 0 && !one.process.isKilled {
            let isServe = one.process.words[0] == "serve"
            // A comparison has at most this many rounds. The last round of `serve` may not have ended, and
            // it does not announce rounds, so that a power cut removes an unknown number.
            let rounds = isServe ? stored + 1 : max(1, one.process.rounds)
            let most = asked.filter { $0.key[0] == "\(one.process.number)" }.values.max() ?? 0
            guard most <= 2 * rounds || isServe && isLossy else {
                throw Violation(
                    "\(most) queries for a name in \(rounds) rounds of \(one.process.words[0])"
                )
            }
        }
    }

    private func acceptPruned(_ check: StoreCheck) {
        guard let pruned else { return }
        let isDone = running.contains {
            $0.process.words.contains("prune") && $0.process.code == 0 && !$0.process.isKilled
        }
        place.expected.prune { key, stop in
            let isOld = stop.hour < pruned.must.hour && pruned.known.contains(key)
            if isDone, isOld, !conditions.isDisturbed { return true }
            return stop.hour < pruned.may.hour + 1 && check.isPruned(key)
                || conditions.isDisturbed && check.isPruned(key)
        }
    }
}
