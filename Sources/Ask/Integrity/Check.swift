package import Catalogue
package import DNSWire
import Failures
package import Samples

/// A check whether a resolver and the path to it return true answers.
package enum Check: String, Hashable, Sendable, CaseIterable {
    /// Whether names that do not exist get an address.
    case rewriting
    /// Whether answers with wrong signatures are rejected (RFC 4035 §5).
    case validation
    /// Whether answers for public names exclude private addresses.
    case rebinding
    case filtering
    /// The server of the service that answers (RFC 5001, RFC 4892).
    case identity
    /// The address from which the resolver queries other servers.
    case egress
    /// Whether the client's network is forwarded (RFC 7871).
    case ecs
    /// Whether a device on the path answers instead of other resolvers.
    case interception
    /// Whether the resolver answers over TCP, and completely if the UDP answer was truncated (RFC
    /// 7766).
    case tcp
    /// Support of EDNS and the DO bit (RFC 6891, RFC 3225).
    case edns
}

package enum Judgement: String, Hashable, Sendable, CaseIterable {
    case pass, fail, inconclusive
}

/// A check's judgement on one resolver, with its evidence.
package struct CheckFinding: Hashable, Sendable {
    package var check: Check
    package var judgement: Judgement
    /// A clause without a final dot, such as `names that do not exist are sent to 192.0.2.66`.
    package var conclusion: String
    package var evidence: [Evidence]

    package init(
        _ check: Check,
        _ judgement: Judgement,
        _ conclusion: String,
        _ evidence: [Evidence] = []
    ) {
        self.check = check
        self.judgement = judgement
        self.conclusion = conclusion
        self.evidence = evidence
    }

    /// The queries and replies in one sentence; empty if no query was sent.
    package var evidenceText: String {
        guard !evidence.isEmpty else { return "" }
        return "asked \(evidence.map(\.description).joined(separator: "; "))"
    }
}

package struct Evidence: Hashable, Sendable, CustomStringConvertible {
    /// The query in words, such as `example.com A, with CD`.
    package var asked: String
    package var reply: Reply
    /// The words for the reply, if its own words must not be shown.
    var otherWords: String?

    /// The reply in words.
    package var answer: String { otherWords ?? reply.description }

    package var description: String { "\(asked): \(answer)" }
}

/// The names of the checks. Each is a valid domain name.
package struct CheckQuestions: Sendable {
    /// Zones whose names leave room for a random label with `www` before it.
    let nonexistent: [DomainName]
    /// Endpoints at which no server answers.
    package let nobody: [Endpoint]
    /// A record that every resolver can return.
    package let signed: Question
    let large: Question
    let whoami: [DomainName]
    let validation: [(good: DomainName, bad: DomainName)]
    let rebinding: [(privateName: DomainName, publicName: DomainName)]
    let filtering: [DomainName]

    /// Reads the names. Throws a configuration error with file and line if a name is not a domain
    /// name.
    package init(_ names: CheckNames) throws(CatalogueError) {
        nonexistent = try names.nonexistent.map { (name) throws(CatalogueError) in
            let domain = try Self.domain(name)
            do {
                _ = try DomainName("www.\(String(repeating: "a", count: 16)).\(name.text)")
            } catch {
                throw name.fault("no label fits before it: \(error)")
            }
            return domain
        }
        nobody = names.nobody
        signed = try Self.question(names.signed)
        large = try Self.question(names.large)
        whoami = try names.whoami.map(Self.domain)
        validation = try names.validation.map { (pair) throws(CatalogueError) in
            (try Self.domain(pair.good), try Self.domain(pair.bad))
        }
        rebinding = try names.rebinding.map { (pair) throws(CatalogueError) in
            (try Self.domain(pair.privateName), try Self.domain(pair.publicName))
        }
        filtering = try names.filtering.map { (test) throws(CatalogueError) in
            try Self.domain(test.name)
        }
    }

    private static func domain(_ name: CheckNames.Name) throws(CatalogueError) -> DomainName {
        do {
            return try DomainName(name.text)
        } catch {
            throw name.fault("\(error)")
        }
    }

    private static func question(_ record: CheckNames.Record?) throws(CatalogueError) -> Question {
        guard let record else {
            throw CatalogueError(.configuration, "the checks name no 'signed' or 'large' record")
        }
        guard let type = RecordType(mnemonic: record.type), type.isQueryable else {
            throw record.name.fault("'\(record.type)' is not a record type to ask for")
        }
        return Question(name: try domain(record.name), type: type)
    }
}

/// Limits the rate of queries, to one resolver and to all.
package actor CheckTurns<C: Clock & Sendable> where C.Duration == Duration {
    private let clock: C
    private let gap: Duration
    private let totalGap: Duration
    private var next: [Endpoint: C.Instant] = [:]
    private var nextOfAll: C.Instant

    package init(_ pace: Pace, on clock: C) {
        self.clock = clock
        gap = .seconds(1) / pace.rate
        totalGap = .seconds(1) / pace.totalRate
        nextOfAll = clock.now
    }

    /// Returns when `endpoint` may be queried, or at once if the task was cancelled. On loopback
    /// each port is a separate resolver, elsewhere each address.
    package func wait(for endpoint: Endpoint) async {
        var place = endpoint
        place.transport = .udp
        (place.source, place.mark) = (nil, nil)
        if !place.address.isLoopback { place.port = 0 }
        let own = max(next[place] ?? clock.now, clock.now)
        next[place] = own.advanced(by: gap)
        if own > clock.now { try? await clock.sleep(until: own, tolerance: nil) }
        let turn = max(nextOfAll, clock.now)
        nextOfAll = turn.advanced(by: totalGap)
        if turn > clock.now { try? await clock.sleep(until: turn, tolerance: nil) }
    }
}
