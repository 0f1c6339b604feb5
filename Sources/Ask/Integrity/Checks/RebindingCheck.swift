import Catalogue
import DNSWire

/// A public name with a private address, through which a web page could reach a home network.
/// Source: Jackson et al. 2007, "Protecting browsers from DNS rebinding attacks".
struct RebindingCheck {
    /// The name of a public address in the same zone.
    var control: Evidence?
    var privateName: Evidence?
}

extension RebindingCheck: ResolverCheck {
    static let subject = Check.rebinding

    /// Uses the first zone whose control name resolves.
    init(_ asker: Asker, _ questions: CheckQuestions) async {
        for test in questions.rebinding {
            let control = await asker.ask(test.publicName)
            self.control = control
            guard !control.reply.addresses.isEmpty else { continue }
            privateName = await asker.ask(test.privateName)
            return
        }
    }

    var evidence: [Evidence] { [control, privateName].compactMap(\.self) }

    var conclusion: Conclusion {
        guard let control, let reply = privateName?.reply, !control.reply.addresses.isEmpty else {
            return .inconclusive("the control name does not resolve")
        }
        guard let response = reply.response else {
            return .inconclusive("the test name was not answered")
        }
        if reply.addresses.contains(where: \.isPrivate) {
            return .fail(
                "public names may lead to private addresses (few public resolvers prevent it)"
            )
        }
        guard reply.addresses.allSatisfy(\.isUnspecified) else {
            return .inconclusive("the name of a private address has an address that is not its own")
        }
        // Some resolvers refuse such a name, or report that they block it. Any other failure does
        // not show a rule.
        guard reply.deniesAddress || response.code == .refused || response.isFiltered else {
            return .inconclusive("the test name does not resolve (\(response.code))")
        }
        return .pass("private addresses are kept out of public names")
    }
}

extension IPAddress {
    /// Whether the address is 0.0.0.0 or ::, which no host has.
    var isUnspecified: Bool { unmapped.bytes.allSatisfy { $0 == 0 } }
}
