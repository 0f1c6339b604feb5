package import Catalogue

/// How far from here an address is that a resolver gave for a name.
package struct AnswerDistance: Hashable, Sendable, Codable {
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
package struct AnswerDistances: Hashable, Sendable, Codable {
    package var port: UInt16
    package var readings: [AnswerDistance]

    package init(port: UInt16, readings: [AnswerDistance]) {
        self.port = port
        self.readings = readings
    }

    /// For each name the median time to connect to an address that `target` gave for it, where one
    /// accepted a connection.
    package func medians(ofTarget target: Int) -> [Int: Duration] {
        var times: [Int: [Duration]] = [:]
        for reading in readings where reading.target == target {
            guard case .connected(let time) = reading.reach else { continue }
            times[reading.question, default: []].append(time)
        }
        return times.compactMapValues(\.lowerMedian)
    }

    /// The median over the names of these; `nil` where none was reached.
    package func median(ofTarget target: Int) -> Duration? {
        Array(medians(ofTarget: target).values).lowerMedian
    }

    /// Whether `target` gave addresses, all of them outside the allowed networks.
    package func isBlocked(target: Int) -> Bool {
        let reaches = readings.filter { $0.target == target }.map(\.reach)
        return !reaches.isEmpty && reaches.allSatisfy { $0 == .blocked }
    }
}

extension [Duration] {
    fileprivate var lowerMedian: Duration? {
        isEmpty ? nil : sorted()[(count - 1) / 2]
    }
}
