import Catalogue
import DNSWire
import Samples

@testable import Runs
@testable import Transports

/// Transports that send no packets. A script maps the resolver and the query to the result.
struct ScriptedTransports: TransportSource {
    private struct Scripted: Transport {
        let resolver: Resolver
        let answer: Answer

        func exchange(_ query: Query, timeout: Duration) async -> Exchange {
            Exchange(within: TimeLimit(timeout), answer(resolver, query))
        }
    }

    typealias Answer = @Sendable (Resolver, Query) -> QueryResult

    let answer: Answer

    func transport(to resolver: Resolver, in series: Series) -> any Transport {
        Scripted(resolver: resolver, answer: answer)
    }

    func encrypted(to resolver: Resolver) -> EncryptedTransport? { nil }

    func holder(to resolver: Resolver, offeredIdle: Duration) -> ConnectionHolder { { _ in nil } }
}

extension QueryResult {
    static let noError = QueryResult.response(Response(code: .noError))
}
