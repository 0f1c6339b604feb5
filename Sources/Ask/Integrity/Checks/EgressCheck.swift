import Catalogue
import DNSWire

/// Names for which name servers return the address of the client.
struct EgressCheck: Sendable {
    /// The beginning of the conclusion if the client's network is forwarded.
    static let sendsOn = "it passes on the client network"

    var evidence: [Evidence] = []
}

extension EgressCheck {
    init(_ asker: Asker, _ questions: CheckQuestions) async {
        self.init()
        for name in questions.whoami.prefix(3) {
            evidence.append(await asker.ask(Question(name: name, type: .txt)))
        }
    }

    private var records: [[String]] { evidence.flatMap { $0.reply.response?.texts ?? [] } }

    /// The addresses from which the resolver sent its queries. The address is the only string, or
    /// follows `ns`.
    var addresses: [IPAddress] {
        records.compactMap { strings in
            switch strings.count {
            case 1: IPAddress(strings[0])
            case 2 where strings[0] == "ns": IPAddress(strings[1])
            default: nil
            }
        }
    }

    /// The forwarded networks with a prefix of at least one bit. The network follows `ecs`, or
    /// `edns0-client-subnet` in one string.
    var subnets: [String] {
        records.compactMap { strings in
            let words = strings.joined(separator: " ").split(separator: " ")
            guard words.count == 2, words[0] == "ecs" || words[0] == "edns0-client-subnet" else {
                return nil
            }
            // NETWORK/SOURCE or NETWORK/SOURCE/SCOPE (RFC 7871 §6).
            let parts = words[1].split(separator: "/")
            guard parts.count >= 2, let bits = Int(parts[1]), bits > 0 else { return nil }
            return "\(parts[0])/\(bits)"
        }
    }

    /// The finding. `others` are resolvers of other operators that send queries from one of these
    /// addresses.
    func finding(sharedWith others: [String]) -> CheckFinding {
        let names = Set(addresses.map(\.description)).sorted().joined(separator: ", ")
        guard !names.isEmpty else { return unknown(.egress) }
        let text = "it queries others from \(names)"
        guard !others.isEmpty else { return CheckFinding(.egress, .pass, text, evidence) }
        let shared = ", as does \(others.joined(separator: ", ")): both are one resolver"
        return CheckFinding(.egress, .fail, text + shared, evidence)
    }

    /// The finding about the client's network. `isDeclared` is set if the operator declares that it
    /// forwards the network.
    func subnetFinding(isDeclared: Bool) -> CheckFinding {
        if let subnet = subnets.first {
            let text = "\(Self.sendsOn) \(subnet)"
            return isDeclared
                ? CheckFinding(.ecs, .pass, text + ", as its operator declares", evidence)
                : CheckFinding(.ecs, .fail, text, evidence)
        }
        guard evidence.allSatisfy(\.reply.wasAsked) else {
            return CheckFinding(.ecs, .unasked, evidence)
        }
        guard !addresses.isEmpty else { return unknown(.ecs) }
        return CheckFinding(.ecs, .pass, "it does not pass on the client network", evidence)
    }

    private func unknown(_ check: Check) -> CheckFinding {
        CheckFinding(check, .inconclusive, "no test name showed which address asks", evidence)
    }
}
