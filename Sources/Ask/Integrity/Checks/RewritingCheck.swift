import Catalogue
import DNSWire

/// Random names that do not exist.
struct RewritingCheck {
    var plain: [Evidence]
    var www: [Evidence]
}

extension RewritingCheck: ResolverCheck {
    static let subject = Check.rewriting

    /// The beginning of the conclusion for a resolver that rewrites.
    fileprivate static let invention = "names that do not exist are sent to"

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        let names = questions.nonexistent.prefix(2).map { "\(Self.randomLabel()).\($0)" }
        plain = await Self.ask(names, asker)
        www = await Self.ask(names.prefix(1).map { "www.\($0)" }, asker)
        // Some resolvers rewrite only names that look like web sites. A second name then decides.
        if plain.allSatisfy(\.inventions.isEmpty), !www.allSatisfy(\.inventions.isEmpty) {
            www += await Self.ask(names.dropFirst().map { "www.\($0)" }, asker)
        }
    }

    var evidence: [Evidence] { plain + www }

    /// The conclusion: rewritten if two random names have the same address.
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

    /// An address of at least two of the names.
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

    /// A label of 16 letters, which is 75 bits, so that it is not registered.
    private static func randomLabel() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return String((0..<16).map { _ in letters[Int.random(in: letters.indices)] })
    }
}

extension Evidence {
    /// The addresses of a name that does not exist, unless the response marks it as blocked.
    fileprivate var inventions: [IPAddress] {
        reply.response?.isFiltered == true ? [] : reply.addresses
    }
}

extension CheckFinding {
    /// The behaviour of a resolver that rewrites, as the rest of a sentence about it; `nil` for any
    /// other finding. An example is `sends names that do not exist to 192.0.2.66`.
    package var invention: String? {
        guard check == .rewriting, judgement == .fail,
            conclusion.hasPrefix(RewritingCheck.invention)
        else { return nil }
        return "sends names that do not exist to"
            + conclusion.dropFirst(RewritingCheck.invention.count)
    }
}
