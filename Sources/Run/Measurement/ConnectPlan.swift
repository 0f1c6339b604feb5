import Samples

/// The connections of a round in which every resolver was asked every name: to whom the answers lead.
///
/// Each address is connected to once. A resolver is followed with all its names or not at all: where
/// the resolvers lead to more addresses for a name than may be connected to, leaving out single names
/// would favour whoever leads where all others do.
package struct ConnectPlan<Address: Hashable & Sendable>: Hashable, Sendable {
    /// Addresses of one name that are connected to in a round, at most.
    package static var mostAddresses: Int { 3 }

    /// Targets whose answers are followed.
    package let followed: [Int]
    /// Name by name, each once.
    package let addresses: [Address]
    /// By question and target.
    private let places: [Int: [Int: Address]]

    /// `answers` has, by question and target, the addresses that were answered. The first of `order`
    /// is always followed, the others as far as the cap of addresses allows.
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

    /// Where the answer of a target to a question led; `nil` where that is not followed, and where it
    /// led nowhere.
    package func address(of target: Int, question: Int) -> Address? { places[question]?[target] }

    /// The address to connect to of each resolver that has one for a name: the first of its answer. Of
    /// equal sets it is one address, since their order is nobody's merit.
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
