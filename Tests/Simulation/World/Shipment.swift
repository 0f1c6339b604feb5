import Foundation
import SimulatedKernel

/// A place ships its rounds to the central store, over connections that break.
struct Shipment {
    private let world: World
    private let place: Place

    init(_ world: World, from place: Place) { (self.world, self.place) = (world, place) }

    /// Ships until the central store has everything, and compares both.
    func ship() throws {
        guard FileManager.default.fileExists(atPath: place.store) else { return }
        let centre = Centre.current
        let earlier = centre.tables
        for attempt in 0..<4 {
            if attempt < 3, world.random.isOnce(in: 2) {
                centre.untilCut = world.random.number(below: 40)
                centre.isCutAfterCommit = world.random.isOnce(in: 2)
                world.note(place, "the connection breaks after \(centre.untilCut ?? 0) statements")
            }
            let code = try run()
            centre.untilCut = nil
            if code == 0 {
                if !place.hasLost { try compare() }
                // The centre may fail over to a copy that lacks what it has just taken.
                guard attempt == 0, world.random.isOnce(in: 3) else { return }
                world.note(place, "the centre fails over to an earlier state")
                centre.fail(over: earlier)
                continue
            }
            let (damaged, busy): (Int32, Int32) = (65, 75)
            if code == damaged, place.hasLost { return }
            guard code == busy, attempt < 3 else {
                throw Violation("exit code \(code) of store ship")
            }
        }
        throw Violation("the rounds were not shipped in four attempts")
    }

    /// Runs one shipper, or two at the same time. Returns the exit code of the last one to end without success,
    /// or 0.
    private func run() throws -> Int32 {
        let words = ["store", "ship", "--to", place.centre, "--store", place.store, "-q"]
        let shippers = (0..<(world.random.isOnce(in: 3) ? 2 : 1)).map { _ in
            world.start(words, at: place)
        }
        let codes = try shippers.map { try world.finish($0, at: place, within: 700_000_000_000) }
        return codes.last { $0 != 0 } ?? 0
    }

    /// Each round is at the centre exactly once, and no other one of this place.
    private func compare() throws {
        let tables = Centre.current.tables[Int64(place.source)] ?? Centre.Tables()
        func rows(_ table: String) -> [Centre.Row] { Array((tables.rows[table] ?? [:]).values) }
        var runs: [[UInt8]: String] = [:]
        for run in rows("run") {
            if let id = run["id"] ?? nil, let name = run["name"] ?? nil {
                runs[id] = String(decoding: name, as: UTF8.self)
            }
        }
        var found: [Expected.Key: Int64] = [:]
        for round in rows("round") {
            guard let run = (round["run"] ?? nil).flatMap({ runs[$0] }),
                let id = round["id"]??.number,
                let number = round["number"]??.number
            else { throw Violation("a round at the centre has no run") }
            let key = Expected.Key(run: run, number: Int32(clamping: number))
            if let other = found.updateValue(id, forKey: key), other != id {
                throw Violation("round \(key) is at the centre twice")
            }
        }
        let own = Set(place.expected.rounds.keys)
        guard own == Set(found.keys) else {
            throw Violation(
                "\(own.subtracting(found.keys).count) rounds are missing at the centre, and "
                    + "\(Set(found.keys).subtracting(own).count) are unknown here"
            )
        }
        let hours = Set(place.expected.sums.keys.map(\.hour))
        let shipped = Set(rows("rollup").compactMap { $0["hour"]??.number })
        guard hours == shipped else {
            throw Violation("the centre has sums of \(shipped.count) hours, not of \(hours.count)")
        }
    }
}
