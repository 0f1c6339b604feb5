import NIOCore

/// How much anybody may ask at once, and how slowly.
enum RequestLimits {
    static let connections = 256
    /// Connections from one address, so that others find room.
    static let connectionsOfAddress = 64
    /// How long a connection may wait before it may have to make room for others.
    static let leastWait = TimeAmount.milliseconds(250)
    static let waitingConnections: Int32 = 1024
    /// Octets of all fields.
    static let headSize = 16 * 1024
    static let headerFields = 64
    /// Octets that came and are not taken apart yet.
    static let unreadSize = 64 * 1024
    /// How long the head of a request may take, and how long a connection may wait for the next, or
    /// for its end.
    static let headTime = TimeAmount.seconds(10)
    /// How long nothing of an answer may be taken.
    static let answerTime = TimeAmount.seconds(40)
    /// Octets of an answer that are handed over at once.
    static let pieceSize = 64 * 1024
    /// How long a refused client may take to read why, and how long answers under way are waited for
    /// when the dashboard ends.
    static let farewell = TimeAmount.seconds(2)
}
