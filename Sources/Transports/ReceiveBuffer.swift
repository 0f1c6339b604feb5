/// Where every socket of the event loop receives: read at once, never kept.
@EventLoopActor
enum ReceiveBuffer {
    /// As large as a message can be (RFC 1035 §4.2.2), with its length before it.
    static let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_537, alignment: 16)

    /// The first `count` octets of it.
    static func received(_ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(count, bytes.count)])
    }
}
