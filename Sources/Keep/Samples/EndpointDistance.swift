package import Catalogue

/// The distance that a query to an endpoint travels. An answer from a near endpoint does not prove that the
/// connection to farther endpoints works.
package enum EndpointDistance: Comparable {
    /// On this machine.
    case machine
    /// In this machine's network, or in its provider's network.
    case network
    case internet

    /// The distance to an address. An unknown address counts as far, as does an address that no server can
    /// have.
    package init(_ address: IPAddress?) {
        switch address?.scope {
        case .machine: self = .machine
        case .link, .site: self = .network
        case .internet, nil: self = .internet
        }
    }
}

extension Recording.Target {
    package var distance: EndpointDistance { EndpointDistance(address) }
}
