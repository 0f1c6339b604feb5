import NIOCore

/// Limits on the number, size and duration of requests.
enum RequestLimits {
    static let connections = 256
    /// The maximum number of connections from one address, so that other clients find room.
    static let connectionsOfAddress = 64
    /// The minimum wait before a connection may be closed to make room.
    static let leastWait = TimeAmount.milliseconds(250)
    static let waitingConnections: Int32 = 1024
    /// The maximum size of all fields, in bytes.
    static let headSize = 16 * 1024
    static let headerFields = 64
    /// The maximum number of received bytes that are not parsed yet.
    static let unreadSize = 64 * 1024
    /// The time limit for the head of a request, and for a connection that waits for the next request or for
    /// its end.
    static let headTime = TimeAmount.seconds(10)
    /// The time after which an answer that the client does not read is cancelled.
    static let answerTime = TimeAmount.seconds(40)
    /// The number of bytes of an answer that are written at once.
    static let pieceSize = 64 * 1024
    /// The time that a refused client has to read the reason. It also limits the wait for answers in progress
    /// when the dashboard ends.
    static let farewell = TimeAmount.seconds(2)
}
