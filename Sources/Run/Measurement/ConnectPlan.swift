import Samples

/// The connections of a round in which every resolver was queried for every name. They go to the
/// servers in the answers.
///
/// Each address is connected to once. A resolver is followed with all its names, or not at all. If
/// the resolvers return more addresses for a name than the limit allows, single names must not be
/// left out. This would favour the resolvers that return the same address as all others.
package struct ConnectPlan<Address: Hashable & Sendable>: Hashable, Sendable {
    /// The maximum number of addresses of one name that a round connects to.
    package static var mostAddresses: Int { 3 }

    /// The targets whose answers are followed.
    package let followed: [Int]
    /// The addresses, name by name, without repetitions.
    package let addresses: [Address]
    /// The addresses by question and target.
    private let places: [Int: [Int: Address]]

    /// Creates the plan. `answers` contains the answered addresses, by question and target. The
    /// first target of `order` is always followed, the others if the limit of addresses allows it.
    package init(answers: [Int: [Int: [Address]]], order: [Int]) {
        var followed: [Int] = []
        var places: [Int: [Int: Address]] = [:]
        for target in order {
            let wanted = answers.mapValues { answers in
                Self.targets(of: answers.filter { (followed + [target]).contains($0.key) })
            }
            let isWithin = wanted.values.allSatisfy { Set($0.values).count <= Self.mostAddresses }
            guard isWithin || followed.isEmpty else { continue }
            followed.append(target)
            places = wanted
        }
        self.followed = followed
        self.places = places
        addresses =
            places.sorted { $0.key < $1.key }
            .flatMap { $0.value.sorted { $0.key < $1.key }.map(\.value) }.uniqued
    }

    /// The address in a target's answer to a question; `nil` if the target is not followed or the
    /// answer has no address.
    package func address(of target: Int, question: Int) -> Address? { places[question]?[target] }

    /// The address to connect to for each resolver with an answer for a name: the first address of
    /// its answer. Answers with equal sets of addresses share one address, because the order within
    /// a set is not the resolver's merit.
    package static func targets<Resolver: Hashable & Comparable>(
        of answers: [Resolver: [Address]]
    ) -> [Resolver: Address] {
        var shared: [Set<Address>: Address] = [:]
        return answers.sorted { $0.key < $1.key }.reduce(into: [:]) { targets, answer in
            guard let first = answer.value.first else { return }
            let addresses = Set(answer.value)
            let address = shared[addresses] ?? first
            shared[addresses] = address
            targets[answer.key] = address
        }
    }
}
