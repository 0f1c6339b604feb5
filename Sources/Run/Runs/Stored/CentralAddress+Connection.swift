package import Catalogue
package import Central

extension CentralAddress {
    /// Opens a connection to the host's first address within the allowed networks.
    package func connection(
        within allowed: AllowedNetworks,
        limits: CentralLimits,
        notice: @escaping @Sendable (String) -> Void
    ) throws -> CentralConnection {
        guard !isLocal else {
            return try CentralConnection(self, at: nil, limits: limits, notice: notice)
        }
        let server = NamedServer(
            kind: "central store",
            host: lookedUp,
            place: host,
            allowed: allowed
        )
        try server.check(advice: "write its address into the URL, as hostaddr=ADDRESS")
        let address = try server.address(
            until: limits.deadline,
            stop: limits.stop,
            advice: "try again later"
        )
        return try CentralConnection(self, at: address, limits: limits, notice: notice)
    }
}
