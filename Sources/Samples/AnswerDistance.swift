package import Catalogue

/// How far from here an address is that a resolver gave for a name.
package struct AnswerDistance: Hashable, Sendable {
    /// Index into ``Recording/targets``.
    package var target: Int
    /// Index into ``Recording/questions``.
    package var question: Int
    /// Without its port.
    package var address: String
    package var reach: Reach

    package init(target: Int, question: Int, address: String, reach: Reach) {
        self.target = target
        self.question = question
        self.address = address
        self.reach = reach
    }
}

/// Where the answers of several resolvers lead, side by side.
package struct AnswerDistances: Hashable, Sendable {
    package var port: UInt16
    package var readings: [AnswerDistance]

    package init(port: UInt16, readings: [AnswerDistance]) {
        self.port = port
        self.readings = readings
    }

    /// For each name the time to the nearest address that `target` gave for it and that accepts a
    /// connection.
    package func nearest(ofTarget target: Int) -> [Int: Duration] {
        var nearest: [Int: Duration] = [:]
        for reading in readings where reading.target == target {
            guard case .connected(let time) = reading.reach else { continue }
            nearest[reading.question] = min(nearest[reading.question] ?? time, time)
        }
        return nearest
    }

    /// The median over the names of the time to the nearest address; `nil` where none was reached.
    package func median(ofTarget target: Int) -> Duration? {
        let times = nearest(ofTarget: target).values.sorted()
        return times.isEmpty ? nil : times[(times.count - 1) / 2]
    }

    /// Whether `target` gave addresses, all of them outside the allowed networks.
    package func isBlocked(target: Int) -> Bool {
        let reaches = readings.filter { $0.target == target }.map(\.reach)
        return !reaches.isEmpty && reaches.allSatisfy { $0 == .blocked }
    }
}
