import Catalogue
package import DNSWire
package import Samples

/// The addresses that resolvers gave for names, to find those of pages that stand in the place of
/// blocked ones.
package struct SeenAnswers: Sendable {
    /// By resolver, a number of the caller's, and by question, each with its place in the order in
    /// which they were first seen.
    private var addresses: [Int: [Question: [[UInt8]: Int]]] = [:]
    /// The addresses, each once for a resolver and question.
    package private(set) var count = 0

    package init() {}

    /// Fewer than a content network rotates through, and enough to find two that differ.
    private static let mostAddresses = 64

    /// Adds the addresses of one answer, in network order; returns whether one is new.
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

    /// The answers as they were known when these addresses had been seen, the first `count`.
    package func first(_ count: Int) -> SeenAnswers {
        guard count < self.count else { return self }
        var earlier = SeenAnswers()
        earlier.addresses = addresses.mapValues { answers in
            answers.mapValues { found in found.filter { $0.value < count } }
        }
        earlier.count = count
        return earlier
    }

    /// The addresses that `resolver` shows in the place of blocked names.
    ///
    /// Such an address stands for unrelated names, of different second-level domains. Since names of
    /// one content network share addresses too, either the address is a private one, or another
    /// resolver has to give two of the names addresses of their own, and never that one.
    package func blockPages(of resolver: Int) -> Set<[UInt8]> {
        var names: [[UInt8]: [Question]] = [:]
        for (question, found) in addresses[resolver] ?? [:] {
            for address in found.keys { names[address, default: []].append(question) }
        }
        let pages = names.filter { address, questions in
            guard Set(questions.map(\.name.registeredPart)).count > 1 else { return false }
            if IPAddress(octets: address)?.isPrivate == true { return true }
            return addresses.contains { other, answers in
                other != resolver && Self.keepsApart(questions, answers, without: address)
            }
        }
        return Set(pages.keys)
    }

    /// The questions that each resolver answered with the address of such a page.
    package func blockedPairs() -> [Int: Set<Question>] {
        var pairs: [Int: Set<Question>] = [:]
        for (resolver, answers) in addresses {
            let pages = blockPages(of: resolver)
            guard !pages.isEmpty else { continue }
            pairs[resolver] = Set(answers.filter { !pages.isDisjoint(with: $0.value.keys) }.keys)
        }
        return pairs
    }

    /// Whether two unrelated of the questions have no address in common, none of them `address`.
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
    /// Turns the answers to `blocked` questions, by target, into filtered ones.
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
    /// The last two labels, in lower case. That is too short below suffixes such as `co.uk`, whose
    /// names are then taken for related: a block page is missed rather than invented.
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
