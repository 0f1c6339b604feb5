import Catalogue
package import DNSWire
package import Samples

/// The addresses that resolvers returned for names. They reveal the addresses of block pages, which
/// replace blocked names.
package struct SeenAnswers: Sendable {
    /// The addresses by resolver (a number that the caller assigns) and by question. Each has its
    /// rank in the order in which addresses were first seen.
    private var addresses: [Int: [Question: [[UInt8]: Int]]] = [:]
    /// The number of addresses, counted once per resolver and question.
    package private(set) var count = 0

    package init() {}

    /// The limit is lower than the number of addresses in a content network's rotation, and
    /// suffices to find two different addresses.
    private static let mostAddresses = 64

    /// Adds the addresses of one answer, in network order. Returns whether an address is new.
    @discardableResult
    package mutating func note(
        _ addresses: [[UInt8]],
        for question: Question,
        from resolver: Int
    ) -> Bool {
        var known = self.addresses[resolver]?[question] ?? [:]
        let earlier = count
        for address in addresses where known.count < Self.mostAddresses && known[address] == nil {
            known[address] = count
            count += 1
        }
        guard count > earlier else { return false }
        self.addresses[resolver, default: [:]][question] = known
        return true
    }

    /// The state when the first `count` addresses had been seen.
    package func first(_ count: Int) -> SeenAnswers {
        guard count < self.count else { return self }
        var earlier = SeenAnswers()
        earlier.addresses = addresses.mapValues { answers in
            answers.mapValues { found in found.filter { $0.value < count } }
        }
        earlier.count = count
        return earlier
    }

    /// The addresses with which `resolver` replaces blocked names.
    ///
    /// Such an address belongs to unrelated names, with different second-level domains. Names of
    /// one content network share addresses too. Therefore the address must also be private, or
    /// another resolver must return separate addresses for two of the names and never this address.
    package func blockPages(of resolver: Int) -> Set<[UInt8]> {
        var names: [[UInt8]: [Question]] = [:]
        for (question, found) in addresses[resolver] ?? [:] {
            for address in found.keys { names[address, default: []].append(question) }
        }
        let pages = names.filter { address, questions in
            guard Set(questions.map(\.name.registeredPart)).count > 1 else { return false }
            if IPAddress(bytes: address)?.isPrivate == true { return true }
            return addresses.contains { other, answers in
                other != resolver && Self.keepsApart(questions, answers, without: address)
            }
        }
        return Set(pages.keys)
    }

    /// The questions that each resolver answered with the address of a block page.
    package func blockedPairs() -> [Int: Set<Question>] {
        var pairs: [Int: Set<Question>] = [:]
        for (resolver, answers) in addresses {
            let pages = blockPages(of: resolver)
            guard !pages.isEmpty else { continue }
            pairs[resolver] = Set(answers.filter { !pages.isDisjoint(with: $0.value.keys) }.keys)
        }
        return pairs
    }

    /// Whether two unrelated questions have no address in common, and neither has `address`.
    private static func keepsApart(
        _ questions: [Question],
        _ answers: [Question: [[UInt8]: Int]],
        without address: [UInt8]
    ) -> Bool {
        let known = questions.filter { question in
            guard let found = answers[question], !found.isEmpty else { return false }
            return found[address] == nil
        }
        for (index, one) in known.enumerated() {
            for other in known[(index + 1)...]
            where one.name.registeredPart != other.name.registeredPart {
                let shared = answers[one]?.keys.contains { answers[other]?[$0] != nil }
                if shared != true { return true }
            }
        }
        return false
    }
}

extension Recording {
    /// Marks the answers to `blocked` questions, by target, as filtered.
    package mutating func leaveOut(_ blocked: [Int: Set<Question>]) {
        guard !blocked.isEmpty else { return }
        for index in samples.indices where samples[index].observation.outcome == .answered {
            let question = Int(samples[index].question)
            guard questions.indices.contains(question),
                blocked[Int(samples[index].target)]?.contains(questions[question]) == true
            else { continue }
            samples[index].observation.outcome = .filtered
        }
    }
}

extension DomainName {
    /// The last two labels, in lower case. This is too short for suffixes such as `co.uk`, so that
    /// names under such a suffix count as related. A block page is then missed, but never reported
    /// wrongly.
    fileprivate var registeredPart: [UInt8] {
        var starts: [Int] = []
        var position = 0
        while position < wire.count, wire[position] != 0 {
            starts.append(position)
            position += 1 + Int(wire[position])
        }
        let start = starts.suffix(2).first ?? 0
        return wire[start...].map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    }
}
