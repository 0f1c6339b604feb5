package import Catalogue

/// How far a query to an endpoint goes: an answer from nearby does not tell that the connection
/// to what lies further away works.
package enum EndpointDistance: Comparable {
    /// To this machine.
    case machine
    /// To the network that it is in, or to its provider's.
    case network
    case internet

    /// Distance to an address: none is far, and so is one that no server has.
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
