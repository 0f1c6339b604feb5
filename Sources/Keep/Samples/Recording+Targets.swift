import Catalogue

/// The key of resolvers with the same label and series, and optionally the same transport.
private struct Twins: Hashable {
    var label: String
    var series: Series
    var transport: Recording.Transport?
}

extension [Recording.Target] {
    /// The labels. If several targets share a label, their names also contain the transport or the endpoint.
    package var names: [String] {
        // All targets are counted in one pass: thousands of places have thousands of targets with one label.
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
            // If a label occurs over several transports, each of its names contains the transport or the
            // endpoint, in every series.
            let isAlone = transports[target.label] != .some(nil)
            if counts[twins] == 1, isAlone { return target.label }
            twins.transport = target.transport
            let detail = counts[twins] == 1 ? target.transport.description : target.endpoint
            return "\(target.label) (\(detail))"
        }
    }

    /// The name of each target. The targets may have any order.
    package var namesByTarget: [Recording.Target: String] {
        let targets = Array(Set(self))
        return Dictionary(uniqueKeysWithValues: zip(targets, targets.names))
    }

    /// The default baseline: the label `system` if it exists, otherwise the first label.
    package var usualBaseline: String {
        (first { $0.label == "system" } ?? first)?.label ?? ""
    }

    /// The index of the baseline of a series. If the label has several transports, it is the first of them.
    /// If the series lacks this transport, it is the first one in the series.
    package func baseline(_ label: String?, in series: Series) -> Int? {
        guard let first = first(where: { $0.label == label }) else { return nil }
        let members = indices.filter { self[$0].series == series && self[$0].label == label }
        return members.first { self[$0].transport == first.transport } ?? members.first
    }

    /// Whether any resolver was queried over several transports.
    package var haveSeveralTransports: Bool {
        Dictionary(grouping: self, by: \.label).values.contains { namesakes in
            namesakes.contains { $0.transport != namesakes[0].transport }
        }
    }

    /// The labels of resolvers that were queried over both a plain and an encrypted transport.
    package var labelsAskedBothWays: Set<String> {
        let encrypted = Set(filter(\.isEncrypted).map(\.label))
        return encrypted.intersection(filter { !$0.isEncrypted }.map(\.label))
    }

    /// Each encrypted target with the plain target of its resolver, over UDP if there is one.
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
    /// The order of transports, from plain to encrypted.
    package var transportOrder: Int {
        transport.kind.flatMap(TransportKind.allCases.firstIndex) ?? .max
    }

    package var isEncrypted: Bool { transport.kind?.isEncrypted == true }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in the order of their first appearance.
    package var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
