import Catalogue
import DNSWire

/// Random names, which nobody has.
struct RewritingCheck {
    var plain: [Evidence]
    var www: [Evidence]
}

extension RewritingCheck: ResolverCheck {
    static let subject = Check.rewriting

    /// How the conclusion of a rewriting resolver begins.
    fileprivate static let invention = "names that do not exist are sent to"

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        let names = questions.nonexistent.prefix(2).map { "\(Self.randomLabel()).\($0)" }
        plain = await Self.ask(names, asker)
        www = await Self.ask(names.prefix(1).map { "www.\($0)" }, asker)
        // Some rewrite only what looks like a web site: then a second name decides.
        if plain.allSatisfy(\.inventions.isEmpty), !www.allSatisfy(\.inventions.isEmpty) {
            www += await Self.ask(names.dropFirst().map { "www.\($0)" }, asker)
        }
    }

    var evidence: [Evidence] { plain + www }

    /// Rewritten where two random names have one address.
    var conclusion: Conclusion {
        if let address = Self.sharedAddress(plain) {
            return .fail("\(Self.invention) \(address)")
        }
        if let address = Self.sharedAddress(www), plain.allSatisfy(\.inventions.isEmpty) {
            return .fail("\(Self.invention) \(address) where they begin with www")
        }
        if !evidence.allSatisfy(\.inventions.isEmpty) {
            return .inconclusive("some random names have an address, but not the same one")
        }
        guard evidence.allSatisfy(\.reply.addresses.isEmpty) else {
            return .inconclusive("random names are blocked")
        }
        guard plain.count > 1, evidence.allSatisfy({ $0.reply.deniesAddress }) else {
            return .inconclusive("not every random name was answered")
        }
        return .pass("names that do not exist have no address")
    }

    private static func ask(_ names: some Sequence<String>, _ asker: Asker) async -> [Evidence] {
        var evidence: [Evidence] = []
        for name in names {
            guard let name = try? DomainName(name) else { continue }
            evidence.append(await asker.ask(name))
        }
        return evidence
    }

    /// An address that two of the names have.
    private static func sharedAddress(_ evidence: [Evidence]) -> IPAddress? {
        var seen: Set<IPAddress> = []
        for addresses in evidence.map({ Set($0.inventions) }) {
            if let shared = addresses.intersection(seen).min(by: { "\($0)" < "\($1)" }) {
                return shared
            }
            seen.formUnion(addresses)
        }
        return nil
    }

    /// Sixteen letters: 75 bits, which nobody has registered.
    private static func randomLabel() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return String((0..<16).map { _ in letters[Int.random(in: letters.indices)] })
    }
}

extension Evidence {
    /// The addresses of a name that nobody has, unless they say that it is blocked.
    fileprivate var inventions: [IPAddress] {
        reply.response?.isFiltered == true ? [] : reply.addresses
    }
}

extension CheckFinding {
    /// The deed of a resolver that was found rewriting, as the rest of a sentence about it, such as
    /// `sends names that do not exist to 192.0.2.66`; `nil` of any other finding.
    package var invention: String? {
        guard check == .rewriting, judgement == .fail,
            conclusion.hasPrefix(RewritingCheck.invention)
        else { return nil }
        return "sends names that do not exist to"
            + conclusion.dropFirst(RewritingCheck.invention.count)
    }
}
