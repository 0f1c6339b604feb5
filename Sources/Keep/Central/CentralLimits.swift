/// The limits of time and memory for statements at a central store.
package struct CentralLimits: Sendable {
    /// The memory for the rows of one statement, in bytes.
    package var bytes: Int
    /// The end of all statements; `nil` if each statement has only a limit of its own.
    package var deadline: ContinuousClock.Instant?
    /// A file descriptor that becomes readable, or is hung up, when the work must end; -1 for none.
    package var stop: Int32

    package init(bytes: Int, deadline: ContinuousClock.Instant? = nil, stop: Int32 = -1) {
        (self.bytes, self.deadline, self.stop) = (bytes, deadline, stop)
    }

    /// The limits for a reader of long histories.
    package static let reading = CentralLimits(bytes: 512 << 20)

    /// The limits for a shipper, which reads a few rows per statement.
    package static let shipping = CentralLimits(bytes: 1 << 20)
}
