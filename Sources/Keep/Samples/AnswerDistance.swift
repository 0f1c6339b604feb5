package import Catalogue

/// The distance from this machine to an address that a resolver returned for a name.
package struct AnswerDistance: Hashable, Sendable, Codable {
    /// Index into ``Recording/targets``.
    package var target: Int
    /// Index into ``Recording/questions``.
    package var question: Int
    /// The address without its port.
    package var address: String
    package var reach: Reach

    package init(target: Int, question: Int, address: String, reach: Reach) {
        self.target = target
        self.question = question
        self.address = address
        self.reach = reach
    }
}

/// The distances to the addresses in the answers of several resolvers.
package struct AnswerDistances: Hashable, Sendable, Codable {
    package var port: UInt16
    package var readings: [AnswerDistance]

    package init(port: UInt16, readings: [AnswerDistance]) {
        self.port = port
        self.readings = readings
    }

    /// The median connection time for each name, by question. It includes the addresses that `target`
    /// returned and that accepted a connection.
    package func medians(ofTarget target: Int) -> [Int: Duration] {
        var times: [Int: [Duration]] = [:]
        for reading in readings where reading.target == target {
            guard case .connected(let time) = reading.reach else { continue }
            times[reading.question, default: []].append(time)
        }
        return times.compactMapValues(\.lowerMedian)
    }

    /// The median of the names' medians; `nil` if no address was reached.
    package func median(ofTarget target: Int) -> Duration? {
        Array(medians(ofTarget: target).values).lowerMedian
    }

    /// Whether `target` returned addresses, and all of them are outside the allowed networks.
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
