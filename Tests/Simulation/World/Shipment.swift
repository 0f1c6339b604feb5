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
                if centre.database != nil, !place.hasLost, !world.hasMerged {
                    try Readings(world, at: place)?.checkCentre(World.centre)
                }
                // The centre may fail over to a copy that lacks what it has just taken.
                guard attempt == 0, centre.database == nil, world.random.isOnce(in: 3) else {
                    return
                }
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
        let shipped = try Centre.current.shipped(from: Int64(place.source))
        var found: [Expected.Key: Int64] = [:]
        for round in shipped.rounds {
            if let other = found.updateValue(round.id, forKey: round.key), other != round.id {
                throw Violation("round \(round.key) is at the centre twice")
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
        guard hours == shipped.hours else {
            throw Violation(
                "the centre has sums of \(shipped.hours.count) hours, not of \(hours.count)"
            )
        }
    }
}
