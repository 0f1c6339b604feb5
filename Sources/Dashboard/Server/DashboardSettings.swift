package import Catalogue
package import Samples

/// Where a dashboard listens, who may look, and whose figures it shows.
package struct DashboardSettings: Sendable {
    package static let usualPort: UInt16 = 8053

    package var address: IPAddress
    /// 0 is any that is free.
    package var port: UInt16
    /// `nil` where everybody who reaches the address may look.
    package var token: AccessToken?
    package var toolVersion: String
    /// The label of the resolver that is in use; `nil` where it is not known.
    package var inUse: String?
    /// The wall clock.
    package var now: @Sendable () -> Timestamp

    package init(
        address: IPAddress,
        port: UInt16 = Self.usualPort,
        token: AccessToken? = nil,
        toolVersion: String,
        inUse: String? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.address = address
        self.port = port
        self.token = token
        self.toolVersion = toolVersion
        self.inUse = inUse
        self.now = now
    }
}
