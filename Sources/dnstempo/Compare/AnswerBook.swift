import Catalogue
import DNSWire
import Measurement
import Samples
import Synchronization
import Transports

/// The addresses that each resolver gave for each name, the first few.
final class AnswerBook: Sendable {
    /// Who gave an address for what.
    struct Entry: Hashable {
        /// Indices of the plan.
        var target: Int
        var question: Int
        var address: IPAddress
    }

    private struct Place: Hashable {
        var target: Int
        var question: Int
    }

    private let addresses = Mutex<[Place: [IPAddress]]>([:])
    private let plan: Plan

    /// So many of one resolver for one name, at most.
    private static let mostAddresses = 2

    init(_ plan: Plan) { self.plan = plan }

    /// Keeps what an exchange of the cached series answered.
    func note(_ exchange: Exchange, of probe: Probe) {
        guard case .response(let response) = exchange.result, !response.addresses.isEmpty,
            plan.series(ofQuestion: probe.question) == .cached
        else { return }
        let place = Place(target: probe.target, question: probe.question)
        addresses.withLock { addresses in
            var known = addresses[place] ?? []
            for octets in response.addresses where known.count < Self.mostAddresses {
                if let address = IPAddress(octets: octets), !known.contains(address) {
                    known.append(address)
                }
            }
            addresses[place] = known
        }
    }

    /// All that was kept, in the order of resolvers and names.
    var entries: [Entry] {
        addresses.withLock { addresses in
            addresses.sorted {
                ($0.key.target, $0.key.question) < ($1.key.target, $1.key.question)
            }.flatMap { place, addresses in
                addresses.map {
                    Entry(target: place.target, question: place.question, address: $0)
                }
            }
        }
    }
}
