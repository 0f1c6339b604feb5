import Catalogue
import DNSWire
import Measurement
package import Samples
import Synchronization
import Transports

extension Plan {
    /// Whether queries with these options are a measurement that the IANA registry of performance
    /// metrics defines. It requires Poisson sampling, UDP, one name's addresses, a timeout of 5 s
    /// (RFC 8912 §6.2.2), and a query with only its question.
    func isRegistered(with options: QueryOptions) -> Bool {
        sampling == .poisson && timeout == .seconds(5)
            && [QueryOptions(), .withoutEDNS].contains(options)
            && questions.count == 1 && [.a, .aaaa].contains(questions[0].type)
            && questions[0].recordClass == .internet
            && targets.allSatisfy { $0.series == .cached && $0.transport.kind == .udp }
    }
}

/// The IDs of a run's counted queries, listed by a registered measurement.
package final class QueryIDs: Sendable {
    /// The IDs by the plan's index of targets and the time of sending.
    private let found = Mutex<[Int: [Timestamp: UInt16]]>([:])

    func note(_ exchange: Exchange, of probe: Probe) {
        guard probe.round >= 1, let id = exchange.id, let sent = exchange.sent else { return }
        let moment = Timestamp(nanoseconds: sent)
        found.withLock { $0[probe.target, default: [:]][moment] = id }
    }

    func of(target: Int) -> [Timestamp: UInt16] { found.withLock { $0[target] ?? [:] } }
}

extension RegisteredSampling {
    /// Removes the IDs, which the messages contain.
    package mutating func forgetIDs() {
        for index in streams.indices { streams[index].ids = [:] }
    }

    /// Adds the IDs of a run's queries.
    package mutating func take(_ ids: QueryIDs) {
        for index in streams.indices { streams[index].ids = ids.of(target: index) }
    }
}

extension Session {
    /// The facts of a registered measurement that a report needs; `nil` if the run is not
    /// registered.
    func registered(_ run: MeasuredRun) -> RegisteredSampling? {
        guard let ids, let start = run.samplingStart else { return nil }
        let plan = order.plan
        return RegisteredSampling(
            start: start,
            postponed: run.postponed,
            streams: plan.targets.indices.map { target in
                let (gaps, endpoint) = (plan.gaps(ofTarget: target), order.endpoints[target])
                return RegisteredSampling.Stream(
                    target: plan.targets[target],
                    source: SourceAddress.toward(endpoint),
                    destination: endpoint,
                    reciprocalLambda: gaps.reciprocalLambda,
                    truncation: gaps.truncation,
                    ids: ids.of(target: target)
                )
            }
        )
    }
}
