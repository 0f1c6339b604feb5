package import Catalogue
import DNSWire
import Integrity
import Measurement
import Samples
import Synchronization
import Transports

/// Opens one connection to each encrypted resolver before any query, to find resolvers whose
/// certificates are not trusted.
struct CertificateCheck {
    let factory: TransportFactory
    let plan: Plan

    func distrusted(of resolvers: [Resolver]) async -> [DistrustedResolver] {
        let step = Duration.seconds(1 / plan.totalRate)
        let encrypted = resolvers.filter(\.endpoint.transport.isEncrypted)
        let found = await Array(encrypted.enumerated()).concurrentMap { number, resolver in
            try? await Task.sleep(for: step * number)
            return await factory.encrypted(to: resolver, in: .first)?
                .distrust(timeout: plan.timeout)
        }
        return zip(encrypted, found).compactMap { resolver, distrust in
            distrust.map { DistrustedResolver(resolver: resolver, distrust: $0) }
        }
    }
}

struct DistrustedResolver: Sendable {
    let resolver: Resolver
    let distrust: Distrust

    /// The reason for the distrust, and the remedy, as the rest of a sentence.
    var reason: String { "\(distrust.reason); \(advice)" }

    /// A certificate is untrusted text. The host in it need not be the intended resolver.
    private var advice: String {
        if distrust.isFinal { return "leave it out" }
        let ca = "add --ca FILE with its issuer"
        guard let name = distrust.otherName else {
            return distrust.isIssuerUnknown
                ? "if you trust it, \(ca)" : "leave it out, or see --pin and --insecure"
        }
        var renamed = resolver
        renamed.serverName = name
        let place = "\(resolver.endpoint.transport.rawValue)://\(renamed.place)"
        return "if that is the right server, write \(place)"
            + (distrust.isIssuerUnknown ? " and \(ca)" : "")
    }
}

extension [DistrustedResolver] {
    /// The resolvers, with the names that distinguish them in a report of `all`.
    func unmeasured(among all: [Resolver]) -> [UnmeasuredResolver] {
        let names = all.map { $0.target(in: .cached) }.namesByTarget
        return map { found in
            let target = found.resolver.target(in: .cached)
            return UnmeasuredResolver(
                target: target,
                name: names[target] ?? target.label,
                reason: found.reason
            )
        }
    }
}

/// The resolvers whose certificates were not trusted during a session. Each is reported once.
package final class DistrustLog: Sendable {
    private struct State {
        var told: Set<Resolver> = []
        var news: [Resolver: Distrust] = [:]
    }

    private let state = Mutex(State())

    func note(_ distrust: Distrust, of resolver: Resolver) {
        state.withLock { if !$0.told.contains(resolver) { $0.news[resolver] = distrust } }
    }

    /// A sentence about each resolver that was not reported before.
    package func takeNews(among resolvers: [Resolver]) -> [String] {
        let news = state.withLock { state in
            defer {
                state.told.formUnion(state.news.keys)
                state.news = [:]
            }
            return state.news
        }
        return resolvers.compactMap { resolver in
            news[resolver].map { DistrustedResolver(resolver: resolver, distrust: $0) }
        }.unmeasured(among: resolvers).map { "\($0.name) cannot be asked: \($0.reason)" }
    }
}
