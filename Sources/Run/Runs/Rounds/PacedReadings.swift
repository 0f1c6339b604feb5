import Measurement
import Transports

/// The pace of TCP handshakes with some places, before a plan's queries or during them. Each place
/// and all together stay within their rates.
struct HandshakePace {
    /// The time from the first handshake with a place to the first with the next place.
    let step: Duration
    /// The time between two handshakes with one place.
    let gap: Duration

    init(_ plan: Plan, places: Int) {
        step = .seconds(1 / plan.totalRate)
        gap = max(step * places, .seconds(1 / plan.rate))
    }
}

extension Array where Element: Hashable & Sendable {
    /// Measures each place once, with `step` from start to start. A place whose turn was cancelled
    /// has no reading.
    func readings<Reading: Sendable>(
        every step: Duration,
        _ measure: @escaping @Sendable @EventLoopActor (Element) async -> Reading?
    ) async -> [Element: Reading] {
        let start = EventLoopClock().now
        return await withTaskGroup(of: (Element, Reading?).self) { group in
            for (number, place) in enumerated() {
                let turn = start.advanced(by: step * number)
                group.addTask { (place, await reading(of: place, at: turn, measure)) }
            }
            var readings: [Element: Reading] = [:]
            for await (place, reading) in group { readings[place] = reading }
            return readings
        }
    }
}

@EventLoopActor
private func reading<Place: Sendable, Reading: Sendable>(
    of place: Place,
    at turn: EventLoopClock.Instant,
    _ measure: @Sendable @EventLoopActor (Place) async -> Reading?
) async -> Reading? {
    do {
        try await EventLoopClock().sleep(until: turn, tolerance: nil)
    } catch {
        return nil
    }
    return await measure(place)
}
