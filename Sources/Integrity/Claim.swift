package import Catalogue

/// One thing that the catalogue says of a resolver, beside what was seen.
package struct Claim: Hashable, Sendable {
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        /// Whether plain DNS is served at an address.
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
        /// What was seen tells neither.
        case open
        case notChecked = "not checked"
    }

    package var subject: Subject
    /// As the catalogue has it.
    package var declared: String
    package var standing: Standing
    /// What was seen, in words.
    package var seen: String

    package init(_ subject: Subject, _ declared: String, _ standing: Standing, _ seen: String) {
        self.subject = subject
        self.declared = declared
        self.standing = standing
        self.seen = seen
    }
}

extension CatalogueEntry {
    /// The checks that the claims are held against.
    package static let claimChecks: Set<Check> = [.validation, .filtering, .ecs]

    /// Each claim beside what was found at `places`, one for each address of the entry, and over
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
        let isDead = if case .dead = status { true } else { false }
        let seen = "\(address) \(place.answers ? "answers" : "does not answer")"
        switch (isDead, isEncryptedOnly) {
        case (true, _):
            return Claim(
                .answers,
                "out of service",
                place.answers ? .contradicted : .holds,
                seen
            )
        case (_, true):
            return Claim(
                .answers,
                "no plain DNS",
                place.answers ? .contradicted : .holds,
                seen
            )
        default:
            return Claim(
                .answers,
                status == .unverified ? "unverified" : "in service",
                place.answers ? .holds : .contradicted,
                seen
            )
        }
    }

    private func validation(_ finding: CheckFinding?) -> Claim {
        Self.claim(.dnssec, dnssec, finding, expects: declaresValidation)
    }

    /// A filter that blocks none of the test names may still block others.
    private func filter(_ finding: CheckFinding?) -> Claim {
        guard let finding else { return Claim(.filtering, filtering, .notChecked, "not asked") }
        let standing: Claim.Standing
        switch (declaredFilter, finding.judgement) {
        case (.unknown, _), (_, .inconclusive): standing = .open
        case (_, .pass): standing = .holds
        case (_, .fail): standing = .contradicted
        }
        return Claim(.filtering, filtering, standing, finding.conclusion)
    }

    /// That a network is sent on cannot be told from one query that went without it.
    private func subnet(_ finding: CheckFinding?) -> Claim {
        guard let finding else { return Claim(.ecs, ecs, .notChecked, "not asked") }
        let isSent = finding.conclusion.hasPrefix(EgressCheck.sendsOn)
        let standing: Claim.Standing =
            switch (declaresSubnet, finding.judgement) {
            case (nil, _), (_, .inconclusive): .open
            case (true?, _): isSent ? .holds : .open
            case (false?, _): isSent ? .contradicted : .holds
            }
        return Claim(.ecs, ecs, standing, finding.conclusion)
    }

    private static func claim(
        _ subject: Claim.Subject,
        _ declared: String,
        _ finding: CheckFinding?,
        expects: Bool?
    ) -> Claim {
        guard let finding else { return Claim(subject, declared, .notChecked, "not asked") }
        let standing: Claim.Standing =
            switch (expects, finding.judgement) {
            case (nil, _), (_, .inconclusive): .open
            case (true?, .pass), (false?, .fail): .holds
            default: .contradicted
            }
        return Claim(subject, declared, standing, finding.conclusion)
    }
}

/// What an operator says of its filter.
package enum DeclaredFilter: Hashable, Sendable {
    case nothing
    case filters(String)
    case unknown
}

extension CatalogueEntry {
    /// The filter as the catalogue has it: the first word tells whether there is one.
    package var declaredFilter: DeclaredFilter {
        switch filtering.split(separator: " ").first {
        case "none": .nothing
        case "unknown", "disputed:", nil: .unknown
        default: .filters(filtering)
        }
    }

    /// Whether DNSSEC is declared to be validated; `nil` where that is unknown or disputed.
    package var declaresValidation: Bool? { Self.isYes(dnssec) }

    /// Whether the client's network is declared to be sent on; `nil` where that is unknown.
    package var declaresSubnet: Bool? { Self.isYes(ecs) }

    private static func isYes(_ text: String) -> Bool? {
        switch text.split(whereSeparator: { " (;,".contains($0) }).first {
        case "yes": true
        case "no": false
        default: nil
        }
    }
}
