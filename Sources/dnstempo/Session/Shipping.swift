import Catalogue
import Central
import Samples
import Store

/// Ships what is stored to a central store from time to time. One that cannot be reached is no failure:
/// the rounds wait in the store.
struct Shipping {
    let target: CentralAddress
    let every: Duration
    let allowed: AllowedNetworks

    /// Ships once the last round from a place is in another span of `every` than the one before it.
    func roundStored(in store: Store, from vantage: String) throws {
        let rounds = try store.latestResponses(from: vantage, count: 2).suffix(2)
        let spans = Set(rounds.map { $0.started.nanoseconds / max(1, every.nanoseconds) })
        guard rounds.count < 2 || spans.count > 1 else { return }
        do {
            let connection = try target.connection(within: allowed)
            _ = try Shipper(store, to: connection).ship()
        } catch {
            throw Failure(
                .busy,
                "\(Failure(describing: error)); the rounds wait in the store"
            )
        }
    }
}

extension Shipper {
    /// Shipper that tells what this machine's clock is ahead.
    init(_ store: Store, to central: CentralConnection) throws {
        try self.init(store, to: central) { Timestamp.now.nanoseconds / 1_000_000 }
    }
}
