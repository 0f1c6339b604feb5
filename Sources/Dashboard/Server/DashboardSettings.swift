public import Catalogue
public import Measurement

/// Where a dashboard listens, who may look, and whose figures it shows.
public struct DashboardSettings: Sendable {
    public static let usualPort: UInt16 = 8053

    public var address: IPAddress
    /// 0 is any that is free.
    public var port: UInt16
    /// `nil` where everybody who reaches the address may look.
    public var token: AccessToken?
    public var toolVersion: String
    /// The label of the resolver that is in use; `nil` where it is not known.
    public var inUse: String?
    /// The wall clock.
    public var now: @Sendable () -> Timestamp

    public init(
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
