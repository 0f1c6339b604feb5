import Catalogue

/// Resolvers of one label in one series, or also over one transport: they differ in the rest.
private struct Twins: Hashable {
    var label: String
    var series: Series
    var transport: Recording.Transport?
}

extension [Recording.Target] {
    /// The labels, with what tells them apart where two have the same one.
    package var names: [String] {
        // Of thousands of places there are as many of one label.
        var counts: [Twins: Int] = [:]
        var transports: [String: Recording.Transport?] = [:]
        for target in self {
            var twins = Twins(label: target.label, series: target.series)
            counts[twins, default: 0] += 1
            twins.transport = target.transport
            counts[twins, default: 0] += 1
            let known = transports[target.label, default: target.transport]
            transports[target.label] = .some(known == target.transport ? known : nil)
        }
        return map { target in
            var twins = Twins(label: target.label, series: target.series)
            // Over several transports each is told, in every series.
            let isAlone = transports[target.label] != .some(nil)
            if counts[twins] == 1, isAlone { return target.label }
            twins.transport = target.transport
            let detail = counts[twins] == 1 ? target.transport.description : target.endpoint
            return "\(target.label) (\(detail))"
        }
    }

    /// The names of each, in any order.
    package var namesByTarget: [Recording.Target: String] {
        let targets = Array(Set(self))
        return Dictionary(uniqueKeysWithValues: zip(targets, targets.names))
    }

    /// The label to compare the others with where none was named: `system`, else the first.
    package var usualBaseline: String {
        (first { $0.label == "system" } ?? first)?.label ?? ""
    }

    /// The index of what the others of a series are compared with: over several transports the
    /// first of them, and where the series lacks that, the first that it has.
    package func baseline(_ label: String?, in series: Series) -> Int? {
        guard let first = first(where: { $0.label == label }) else { return nil }
        let members = indices.filter { self[$0].series == series && self[$0].label == label }
        return members.first { self[$0].transport == first.transport } ?? members.first
    }

    /// Whether any resolver of them was asked over several transports.
    package var haveSeveralTransports: Bool {
        Dictionary(grouping: self, by: \.label).values.contains { namesakes in
            namesakes.contains { $0.transport != namesakes[0].transport }
        }
    }

    /// Labels of resolvers that were asked over a plain transport and over an encrypted one.
    package var labelsAskedBothWays: Set<String> {
        let encrypted = Set(filter(\.isEncrypted).map(\.label))
        return encrypted.intersection(filter { !$0.isEncrypted }.map(\.label))
    }

    /// Each encrypted target with the plain one of its resolver, over UDP if there is one.
    package var transportPairs: [(plain: Int, encrypted: Int)] {
        let plain = Dictionary(
            indices.filter { !self[$0].isEncrypted }.map { (self[$0].label, $0) }
        ) { first, next in
            let isBetter =
                self[next].transport.kind == .udp && self[first].transport.kind != .udp
            return isBetter ? next : first
        }
        return indices.filter { self[$0].isEncrypted }
            .compactMap { encrypted in plain[self[encrypted].label].map { ($0, encrypted) } }
    }
}

extension Recording.Target {
    /// From plain to encrypted.
    package var transportOrder: Int {
        transport.kind.flatMap(TransportKind.allCases.firstIndex) ?? .max
    }

    package var isEncrypted: Bool { transport.kind?.isEncrypted == true }
}

extension Array where Element: Hashable {
    /// Each once, in the order in which they first appear.
    package var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
