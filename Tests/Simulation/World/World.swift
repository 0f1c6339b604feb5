import Foundation
import Samples
import SimulatedDisk
import Statistics
import Store

/// The reason why a history is wrong.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

/// The stores of several places, on a disk that fails.
struct World {
    private var random: Random
    private let folder: URL
    private let durability: Store.Durability
    private var places: [Place] = []
    private var stores: [Store?] = []
    private var expected: [Expected] = []
    private(set) var log: [String] = []
    private(set) var crashes = 0
    private(set) var rounds = 0

    /// The simulated time of all places in seconds.
    var seconds: Double {
        zip(places, starts).reduce(0) { $0 + max(0, $1.0.now.since($1.1) / .seconds(1)) }
    }

    private var starts: [Timestamp] = []

    /// The disk of the world has the planted `fault`.
    init(seed: UInt64, in folder: URL, fault: simulated_disk_fault) throws {
        simulated_disk_begin(seed)
        simulated_disk_plant(fault)
        random = Random(seed: seed)
        self.folder = folder
        durability = random.pick(Store.Durability.allCases)
        for index in 0..<(1 + random.number(below: 3)) {
            let place = try Place("place-\(index)", &random)
            places.append(place)
            starts.append(place.now)
            stores.append(nil)
            expected.append(Expected())
        }
        log.append("durability \(durability.rawValue), \(places.count) places")
    }

    private func path(_ index: Int) -> String { folder.appending(path: "\(index).sqlite").path }

    /// Makes one event happen, and checks every invariant of the store that it concerns.
    mutating func step() throws {
        let index = random.number(below: places.count)
        places[index].pass(&random)
        switch random.number(below: 40) {
        case 0..<24: try measure(index)
        case 24..<28: try crash(index, isPowerCut: random.isOnce(in: 2))
        case 28..<30: try fillDisk(index)
        case 30..<33: try prune(index)
        case 33..<35: try merge(into: index)
        case 35..<37: restart(index)
        default: try writeTwice(index)
        }
        try check(index)
    }

    // MARK: Events

    private mutating func store(_ index: Int) throws -> Store {
        if let store = stores[index] { return store }
        let store = try Store(path: path(index), durability: durability, patience: .zero)
        stores[index] = store
        return store
    }

    private mutating func restart(_ index: Int) {
        log.append("\(index): restart")
        stores[index] = nil
        places[index].begin(&random)
    }

    private mutating func measure(_ index: Int) throws {
        let recording = places[index].round(&random)
        log.append(
            "\(index): round \(recording.rounds[0].number) at \(places[index].now.nanoseconds)"
        )
        try store(index).append(recording)
        expected[index].add(recording)
        rounds += 1
    }

    /// Two writers, of which each has the store open.
    private mutating func writeTwice(_ index: Int) throws {
        log.append("\(index): two writers")
        try measure(index)
        let second = try Store(path: path(index), durability: durability, patience: .zero)
        let recording = places[index].round(&random)
        try second.append(recording)
        expected[index].add(recording)
        rounds += 1
        try measure(index)
    }

    private mutating func prune(_ index: Int) throws {
        let age = random.pick([3600, 86_400, 30 * 86_400, 365 * 86_400])
        let limit = places[index].now.advanced(by: .seconds(-age))
        log.append("\(index): prune before \(limit.nanoseconds)")
        _ = try store(index).prune(olderThan: limit)
        expected[index].prune(before: limit)
    }

    private mutating func merge(into index: Int) throws {
        let other = random.number(below: places.count)
        guard other != index, FileManager.default.fileExists(atPath: path(other)) else { return }
        // A store with a part of a pruned hour refuses the merge, which the next check would miss.
        guard !expected[other].rounds.values.contains(where: \.isPruned) else { return }
        log.append("\(index): merge \(other)")
        let source = try Store(path: path(other), access: .readOnly)
        _ = try store(index).merge(from: source)
        expected[index].merge(expected[other])
    }

    private mutating func fillDisk(_ index: Int) throws {
        _ = try store(index)
        let recording = places[index].round(&random)
        simulated_disk_fill(Int64(random.number(below: 12)), Int64(1 + random.number(below: 3)))
        log.append("\(index): full disk during round \(recording.rounds[0].number)")
        do {
            try store(index).append(recording)
        } catch {
            // As in a watch, the store is opened again, and the round is tried again. It may already be stored.
            stores[index] = nil
            simulated_disk_fill(-1, 0)
            try store(index).append(recording)
        }
        simulated_disk_fill(-1, 0)
        expected[index].add(recording)
        rounds += 1
        if random.isOnce(in: 3) { try cutPower() }
    }

    /// The power fails between two events, at every place.
    private mutating func cutPower() throws {
        log.append("power cut")
        simulated_disk_die(0)
        crashes += 1
        for place in stores.indices {
            stores[place] = nil
            places[place].begin(&random)
        }
        simulated_disk_restart(1)
        for place in stores.indices { try accept(place, unannounced: nil, true) }
    }

    /// The process of a place ends during a write: it is killed, or the power fails.
    private mutating func crash(_ index: Int, isPowerCut: Bool) throws {
        _ = try store(index)
        var announced: [Recording] = []
        var unannounced: Recording?
        simulated_disk_die(Int64(random.number(below: 40)))
        while unannounced == nil {
            places[index].pass(&random)
            let recording = places[index].round(&random)
            do {
                try store(index).append(recording)
                announced.append(recording)
            } catch {
                unannounced = recording
            }
            if announced.count > 60 { break }
        }
        crashes += 1
        log.append(
            "\(index): \(isPowerCut ? "power cut" : "kill") after \(announced.count) more rounds"
        )
        // A power cut ends every place.
        for place in stores.indices where isPowerCut || place == index {
            stores[place] = nil
            places[place].begin(&random)
        }
        simulated_disk_restart(isPowerCut ? 1 : 0)
        for recording in announced { expected[index].add(recording) }
        rounds += announced.count
        for place in stores.indices where isPowerCut || place == index {
            try accept(place, unannounced: place == index ? unannounced : nil, isPowerCut)
        }
    }

    /// Accepts what a crash may do: the round in progress is stored completely or not at all, and a power cut
    /// loses the last announced rounds unless the durability is full.
    private mutating func accept(
        _ index: Int,
        unannounced: Recording?,
        _ isPowerCut: Bool
    ) throws {
        guard FileManager.default.fileExists(atPath: path(index)) else { return }
        if isPowerCut, durability == .off, try !isSound(index) { return replaceStore(index) }
        let found = try storedKeys(index)
        if let unannounced, found.contains(Expected.key(of: unannounced)) {
            expected[index].add(unannounced, isAnnounced: false)
            log.append("\(index): the round in progress was stored")
        }
        guard isPowerCut else { return }
        for (key, entry) in expected[index].rounds
        where !found.contains(key) && (durability != .full || !entry.isAnnounced) {
            expected[index].remove(key)
        }
    }

    /// Whether a store has no damage. Without synchronisation a power cut may damage it, but never silently.
    private mutating func isSound(_ index: Int) throws -> Bool {
        do {
            return try store(index).check().isSound
        } catch let error as StoreError {
            guard error.damage != nil else { throw error }
            return false
        }
    }

    private mutating func replaceStore(_ index: Int) {
        log.append("\(index): the store is damaged, and a new one begins")
        stores[index] = nil
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path(index) + end)
        }
        expected[index] = Expected()
    }

    private mutating func storedKeys(_ index: Int) throws -> Set<Expected.Key> {
        let found = try store(index).rounds(Store.Window(includesMarked: true))
        return Set(found.map { Expected.Key(run: $0.run.id, number: $0.round.number) })
    }
}

// MARK: Invariants

extension World {
    private mutating func check(_ index: Int) throws {
        guard FileManager.default.fileExists(atPath: path(index)) else { return }
        let store = try store(index)
        let result = try store.check()
        guard result.isSound else {
            throw Violation(description: "store check: \(result.findings.joined(separator: "; "))")
        }
        try checkRounds(of: store, expected[index])
        try checkSums(of: store, expected[index])
    }

    /// Every announced round is stored, and no other one, with its samples unless they were pruned.
    private func checkRounds(of store: Store, _ expected: Expected) throws {
        let found = try store.rounds(Store.Window(includesMarked: true))
        let keys = Set(found.map { Expected.Key(run: $0.run.id, number: $0.round.number) })
        guard keys == Set(expected.rounds.keys), keys.count == found.count else {
            let lost = expected.rounds.keys.filter { !keys.contains($0) }
            throw Violation(
                description: "\(lost.count) announced rounds are missing (\(lost.prefix(3))), and "
                    + "\(keys.count - expected.rounds.count + lost.count) unknown ones are stored"
            )
        }
        for round in found {
            let key = Expected.Key(run: round.run.id, number: round.round.number)
            guard let entry = expected.rounds[key] else { continue }
            guard round.isPruned == entry.isPruned else {
                throw Violation(description: "round \(key) is pruned: \(round.isPruned)")
            }
            if !round.isPruned, round.samples != entry.recording.samples.count {
                throw Violation(description: "round \(key) has \(round.samples) samples")
            }
        }
        let kept = expected.rounds.values.filter { !$0.isPruned }
        let stored = try store.recording(Store.Window(includesMarked: true))
        let times = { (recordings: [Recording]) in
            recordings.flatMap(\.samples).reduce(into: (0, Int64(0))) { total, sample in
                total.0 += 1
                total.1 &+= (sample.observation.roundTrip ?? -1) &* 31 &+ sample.moment.nanoseconds
            }
        }
        guard times([stored]) == times(kept.map(\.recording)) else {
            throw Violation(description: "the samples differ from those that were stored")
        }
    }

    /// The hourly sums are those of all rounds, also of pruned ones.
    private func checkSums(of store: Store, _ expected: Expected) throws {
        var sums: [Expected.Place: Expected.Sum] = [:]
        try store.forEachRollup { sum in
            let place = Expected.Place(
                vantage: sum.vantage,
                resolver: sum.target.label,
                hour: sum.hour.hour
            )
            sums[place, default: Expected.Sum()].merge(sum)
        }
        let wanted = expected.sums
        guard Set(sums.keys) == Set(wanted.keys) else {
            throw Violation(description: "the hours of the sums differ from those of the rounds")
        }
        for (place, sum) in wanted {
            guard let found = sums[place], found.sent == sum.sent, found.answered == sum.answered,
                abs(found.time - sum.time) <= Int64(sum.sent)
            else {
                throw Violation(
                    description:
                        "the sum of \(place) is \(String(describing: sums[place])), not \(sum)"
                )
            }
        }
    }
}

extension Expected.Sum {
    mutating func merge(_ sum: HourlySum) {
        sent += sum.counts.sent
        answered += sum.counts.answered
        time += Int64((sum.figures.latency.sum * 1e6).rounded())
    }
}
