/// The time and the memory that a central store may take.
package struct CentralLimits: Sendable {
    /// Memory for the rows of one statement, in bytes.
    package var octets: Int
    /// The end of all statements; `nil` if each has only a time of its own.
    package var deadline: ContinuousClock.Instant?
    /// A descriptor that becomes readable, or is hung up, when the work has to end; -1 is none.
    package var stop: Int32

    package init(octets: Int, deadline: ContinuousClock.Instant? = nil, stop: Int32 = -1) {
        (self.octets, self.deadline, self.stop) = (octets, deadline, stop)
    }

    /// Limits for a reader of long histories.
    package static let reading = CentralLimits(octets: 512 << 20)

    /// Limits for a shipper, which reads a few rows per statement.
    package static let shipping = CentralLimits(octets: 1 << 20)
}
