package import Catalogue

/// One property that the catalogue declares for a resolver, compared with the observations.
package struct Claim: Hashable, Sendable {
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        /// Whether an address serves plain DNS.
        case answers
        case dnssec
        case filtering
        case ecs
        /// The name in the certificate of the encrypted service.
        case certificate
    }

    package enum Standing: String, Hashable, Sendable, CaseIterable {
        case holds
        case contradicted
        /// The evidence neither confirms nor contradicts the claim.
        case open
        case notChecked = "not checked"
    }

    package var subject: Subject
    package var declared: String
    package var standing: Standing
    /// The observation, in words.
    package var seen: String

    package init(_ subject: Subject, _ declared: String, _ standing: Standing, _ seen: String) {
        self.subject = subject
        self.declared = declared
        self.standing = standing
        self.seen = seen
    }
}

extension CatalogueEntry {
    /// The checks with which the claims are compared.
    package static let claimChecks: Set<Check> = [.validation, .filtering, .ecs]

    /// Each claim with the findings at `places`, one for each address of the entry, and over
    /// `encrypted` transports.
    package func claims(
        against places: [ResolverFindings],
        encrypted found: [Claim] = []
    ) -> [Claim] {
        var claims = places.map { presence(at: $0) }
        if let best = places.first(where: \.answers) {
            claims.append(validation(best.finding(of: .validation)))
            claims.append(filter(best.finding(of: .filtering)))
            claims.append(subnet(best.finding(of: .ecs)))
        }
        let hosts = [encrypted.tls, encrypted.https, encrypted.quic].compactMap { $0 }
        if let host = hosts.first, found.isEmpty {
            claims.append(Claim(.certificate, host, .notChecked, "not asked"))
        }
        return claims + found
    }

    private func presence(at place: ResolverFindings) -> Claim {
        let address = place.resolver.endpoint.description
        let seen = "\(address) \(place.answers ? "answers" : "does not answer")"
        let (declared, isServed) =
            switch status {
            case .dead: ("out of service", false)
            case _ where isEncryptedOnly: ("no plain DNS", false)
            case .active: ("in service", true)
            case .unverified: ("unverified", true)
            }
        return Claim(.answers, declared, place.answers == isServed ? .holds : .contradicted, seen)
    }

    private func validation(_ finding: CheckFinding?) -> Claim {
        Self.claim(.dnssec, dnssec, finding) { finding in
            declaresValidation.map { $0 == (finding.judgement == .pass) ? .holds : .contradicted }
        }
    }

    /// The claim about the filter. A filter that blocks none of the test names may still block
    /// other names.
    private func filter(_ finding: CheckFinding?) -> Claim {
        Self.claim(.filtering, filtering, finding) { finding in
            if declaredFilter == .unknown { return nil }
            return finding.judgement == .pass ? .holds : .contradicted
        }
    }

    /// The claim about the client's network. One query without a forwarded network does not show
    /// that the network is never forwarded.
    private func subnet(_ finding: CheckFinding?) -> Claim {
        Self.claim(.ecs, ecs, finding) { finding in
            let isSent = finding.conclusion.hasPrefix(EgressCheck.sendsOn)
            return declaresSubnet.map {
                $0 ? isSent ? .holds : .open : isSent ? .contradicted : .holds
            }
        }
    }

    /// A claim with its finding. `standing` is called unless the finding is inconclusive, and
    /// returns `nil` if the operator declares nothing.
    private static func claim(
        _ subject: Claim.Subject,
        _ declared: String,
        _ finding: CheckFinding?,
        _ standing: (CheckFinding) -> Claim.Standing?
    ) -> Claim {
        guard let finding else { return Claim(subject, declared, .notChecked, "not asked") }
        let told = finding.judgement == .inconclusive ? nil : standing(finding)
        return Claim(subject, declared, told ?? .open, finding.conclusion)
    }
}

/// An operator's statement about its filter.
package enum DeclaredFilter: Hashable, Sendable {
    case nothing
    case filters(String)
    case unknown
}

extension CatalogueEntry {
    /// The filter in the catalogue. The first word states whether the resolver filters.
    package var declaredFilter: DeclaredFilter {
        switch filtering.split(separator: " ").first {
        case "none": .nothing
        case "unknown", "disputed:", nil: .unknown
        default: .filters(filtering)
        }
    }

    /// Whether the operator declares DNSSEC validation; `nil` if this is unknown or disputed.
    package var declaresValidation: Bool? { Self.isYes(dnssec) }

    /// Whether the operator declares that it forwards the client's network; `nil` if this is
    /// unknown.
    package var declaresSubnet: Bool? { Self.isYes(ecs) }

    private static func isYes(_ text: String) -> Bool? {
        switch text.split(whereSeparator: { " (;,".contains($0) }).first {
        case "yes": true
        case "no": false
        default: nil
        }
    }
}
