import Foundation
import Samples
import SimulatedDisk
import SimulatedKernel
import Statistics
import Store

/// The reason why a history is wrong.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The places of a history. Each has its machine, its store, and its resolvers.
final class World {
    var random: Random
    private let seed: UInt64
    private let folder: URL
    private var places: [Place] = []
    private(set) var log: [String] = []
    var counts = Counts()

    /// The central store, as its owner names it.
    static let centre = "postgresql://postgres@/dns"
    /// Whether a place has rounds of another one, which both ship.
    private(set) var hasMerged = false

    /// The limit of the memory of all processes of a history, in bytes.
    private static let mostMemory: Int64 = 400 << 20

    /// The disk of the world has the planted `fault`.
    init(seed: UInt64, in folder: URL, fault: simulated_disk_fault, _ centre: Centre) throws {
        random = Random(seed: seed)
        self.seed = seed
        self.folder = folder
        let start = 1_700_000_000 + Int64(random.number(below: 100_000_000))
        simulated_start(start * 1_000_000_000)
        let code = simulated_disk_install(
            random.next(),
            { SimulatedProcess.current?.number ?? 0 },
            { SimulatedProcess.current?.noteDeath() }
        )
        guard code == 0 else { throw Violation("SQLite refuses the simulated disk") }
        simulated_disk_plant(fault)
        Internet.current = Internet(seed: random.next())
        Centre.current = centre
        for index in 0..<(1 + random.number(below: 5)) {
            let place = try Place(index, in: folder, &random)
            places.append(place)
            Internet.current.machines.append(.init(address: 0x7f00_0001))
            changeNetwork(of: place)
            note(
                place,
                "\(place.resolvers), every \(place.interval) s, \(place.durability.rawValue)"
            )
        }
        if centre.database != nil { try enrol() }
    }

    /// Makes the central store at a real server.
    private func enrol() throws {
        let limit: Int64 = 60_000_000_000
        let owner = ["--store", Self.centre]
        let process = try run(["store", "init"] + owner, at: places[0], within: limit)
        guard process.code == 0 else { throw Violation("store init: \(process.errors)") }
        for place in places {
            let words = ["store", "enrol", place.vantage, "--certificate"] + owner
            let process = try run(words, at: place, within: limit)
            guard let role = process.output.split(separator: "\n").first?.split(separator: " ").last
            else {
                throw Violation("store enrol: \(process.errors)")
            }
            place.role = String(role)
        }
    }

    func note(_ place: Place, _ words: String) { log.append("\(place.vantage): \(words)") }

    /// Runs a command at a place to its end, within `limit` nanoseconds. Nothing else runs there.
    func run(_ words: [String], at place: Place, within limit: Int64) throws -> SimulatedProcess {
        let process = start(words, at: place)
        _ = try finish(process, at: place, within: limit)
        return process
    }

    /// Runs everything until a process has ended. Returns its exit code.
    func finish(_ process: SimulatedProcess, at place: Place, within limit: Int64) throws -> Int32 {
        Kernel.run(for: limit) { process.code != nil }
        guard let code = process.code else {
            throw Violation("\(process.words[0]) did not end within \(limit / 1_000_000_000) s")
        }
        note(place, "exit \(code) \(process.errors)")
        return code
    }

    /// Starts a command at a place.
    func start(_ words: [String], at place: Place, _ faults: [Fault] = []) -> SimulatedProcess {
        counts.processes += 1
        note(place, words.joined(separator: " ") + faults.map { ", \($0)" }.joined())
        return place.start(words)
    }

    /// Gives each resolver of a place new properties.
    func changeNetwork(of place: Place) {
        for address in place.addresses {
            var behaviour = Internet.Behaviour()
            behaviour.delay = random.pick([0.1, 2, 10, 40, 250])
            behaviour.jitter = behaviour.delay * random.pick([0.05, 0.3, 2])
            let rare = { [self] in random.isOnce(in: 3) ? random.pick([0.01, 0.1, 0.5]) : 0 }
            behaviour.loss = rare()
            behaviour.duplicate = rare()
            behaviour.late = rare()
            behaviour.refused = rare()
            behaviour.truncated = rare()
            behaviour.failed = rare()
            behaviour.forged = rare()
            behaviour.garbage = rare()
            behaviour.unstamped = rare()
            behaviour.reset = rare()
            behaviour.closed = rare()
            if random.isOnce(in: 15) { behaviour.loss = 1 }
            Internet.current.behaviours[address] = behaviour
        }
    }

    /// Makes one thing happen at a place, and checks every invariant that it concerns. The choices depend on
    /// the seed and on `number` only, so that a history without some of its steps has the other ones.
    func step(_ number: Int) throws {
        random = Random(seed: seed &* 1_000_003 &+ UInt64(number))
        simulated_seed(random.next())
        Internet.current.random = Random(seed: random.next())
        log.append("step \(number):")
        let place = random.pick(places)
        if random.isOnce(in: 6) { changeNetwork(of: place) }
        let began = Kernel.now
        switch random.number(below: 21) {
        case 0..<8: try sample(at: place)
        case 8..<13: try watch(at: place)
        case 13..<15: try prune(at: place)
        case 15..<17: try merge(into: place)
        case 17..<18: try Shipment(self, from: place).ship()
        case 18..<19: try compare(at: place)
        case 19..<20: try serve(at: place)
        default: try Readings(self, at: place)?.check()
        }
        counts.time += Double(Kernel.now - began) / 1e9
        counts.queries = Internet.current.queries
        (counts.commits, counts.cuts) = (Centre.current.commits, Centre.current.cuts)
        counts.waits = Centre.current.waits
        guard simulated_memory() < Self.mostMemory else {
            throw Violation("the processes have used \(simulated_memory()) bytes")
        }
    }

    /// Some faults, in one of `count` cases.
    private func faults(at place: Place, within length: Int64, onceIn count: Int = 2) -> [Fault] {
        guard random.isOnce(in: count) else { return [] }
        return (0..<(random.isOnce(in: 4) ? 2 : 1)).map { _ in
            Fault(within: length, every: place.interval, &random)
        }
    }

    /// Rounds as cron(8) begins them.
    private func sample(at place: Place) throws {
        for _ in 0..<(1 + random.number(below: 8)) {
            simulated_pass(Int64(place.interval) * 1_000_000_000)
            let isScheduled = random.isOnce(in: 2)
            let splay = random.isOnce(in: 2) ? ["--splay", "30s"] : []
            let words = place.measuring(
                "sample",
                splay + (isScheduled ? ["--schedule", "s1"] : [])
            )
            var episode = Episode(self, at: place)
            try episode.start(words, faults(at: place, within: 2_000_000_000))
            if random.isOnce(in: 8) {
                try episode.start(words, faults(at: place, within: 2_000_000_000))
            }
            try episode.finish(within: 150_000_000_000)
        }
    }

    private func watch(at place: Place) throws {
        let rounds = 1 + random.number(below: random.isOnce(in: 3) ? 100 : 10)
        let length = Int64(rounds * place.interval) * 1_000_000_000
        let isShipping = random.isOnce(in: 3)
        if isShipping {
            Centre.current.untilCut = random.isOnce(in: 2) ? random.number(below: 60) : nil
            Centre.current.isCutAfterCommit = random.isOnce(in: 2)
        }
        defer { Centre.current.untilCut = nil }
        let words = place.measuring(
            "watch",
            ["--interval", "\(place.interval)s", "--rounds", "\(rounds)"]
                + (isShipping ? ["--ship", place.centre, "--ship-every", "1h"] : [])
        )
        var episode = Episode(self, at: place)
        try episode.start(words, faults(at: place, within: length))
        if random.isOnce(in: 4) {
            try episode.run(for: Int64(random.number(below: Int(length))))
            switch random.number(below: 3) {
            case 0: try episode.start(place.measuring("sample"))
            case 1: try episode.start(words, faults(at: place, within: length))
            default: try episode.prune(age())
            }
        }
        try episode.finish(within: 2 * length + 300_000_000_000)
    }

    /// Pages for clients, next to rounds.
    private func serve(at place: Place) throws {
        let isMeasuring = random.isOnce(in: 2)
        guard isMeasuring || FileManager.default.fileExists(atPath: place.store) else { return }
        let words =
            isMeasuring
            ? place.measuring("serve", ["--sample-every", "\(Place.servedInterval)s"])
            : ["serve", "--store", place.store]
        let faults = faults(at: place, within: 180_000_000_000, onceIn: 3)
        var episode = Episode(self, at: place)
        let process = try episode.start(
            words + ["--port", "\(place.port)", "--origin", "all"],
            faults
        )
        let pages = Pages(self, at: place, of: process, mustAnswer: faults.isEmpty)
        for _ in 0..<(1 + random.number(below: 4)) {
            if random.isOnce(in: 3) { try episode.start(place.measuring("sample")) }
            try episode.run(for: Int64(5 + random.number(below: 60)) * 1_000_000_000)
            try pages.read()
        }
        process.terminate()
        try episode.finish(within: 150_000_000_000)
    }

    private func prune(at place: Place) throws {
        var episode = Episode(self, at: place)
        try episode.prune(age(), faults(at: place, within: 1_000_000, onceIn: 3))
        try episode.finish(within: 150_000_000_000)
    }

    /// A comparison that measures until it knows the answer.
    private func compare(at place: Place) throws {
        let margin = random.pick([0, 5, 50])
        let words =
            ["compare"] + place.resolvers + place.names.flatMap { ["-d", $0] } + [
                "--timeout", "\(place.timeout)s", "--no-store", "--no-nsid", "--format", "json",
                "--margin", "\(margin)ms", "--max-rounds", "20", "--baseline", "alpha",
            ]
        var episode = Episode(self, at: place)
        try episode.start(words, faults(at: place, within: 20_000_000_000, onceIn: 3))
        for output in try episode.finish(within: 3_600_000_000_000) {
            try Readings.checkVerdicts(in: output, margin: margin)
        }
    }

    private func age() -> Int { random.pick([0, 1, 24, 30 * 24, 365 * 24]) }

    private func merge(into place: Place) throws {
        let other = random.pick(places)
        guard other !== place, FileManager.default.fileExists(atPath: other.store) else { return }
        var episode = Episode(self, at: place)
        hasMerged = true
        try episode.merge(other, faults(at: place, within: 1_000_000, onceIn: 3))
        try episode.finish(within: 150_000_000_000)
    }
}
