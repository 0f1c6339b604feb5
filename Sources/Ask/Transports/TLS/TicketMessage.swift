/// Reads the NewSessionTicket message of TLS 1.3 (RFC 8446 §4.6.1).
enum TicketMessage {
    /// The extension `early_data` (RFC 8446 §4.2.10).
    private static let earlyData = 42

    /// The size of early data in bytes that the ticket in `message` allows; 0 for none, and for a message
    /// that is incomplete. GnuTLS does not report it, and assumes that every ticket allows early data.
    static func earlyDataSize(in message: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var rest = unsafe Array(message)[...]
        _ = rest.takeNumber(4)
        _ = rest.takeNumber(4)
        _ = rest.takeField(lengthOf: 1)
        _ = rest.takeField(lengthOf: 2)
        var extensions = rest.takeField(lengthOf: 2) ?? []
        // GnuTLS rejects a remainder that is shorter than a type and a length.
        while extensions.count >= 4 {
            let type = extensions.takeNumber(2)
            guard var content = extensions.takeField(lengthOf: 2) else { return 0 }
            if type == earlyData { return UInt32(clamping: content.takeNumber(4) ?? 0) }
        }
        return 0
    }
}

extension ArraySlice<UInt8> {
    /// Reads a number of `size` bytes and removes it; `nil` if too few bytes remain.
    fileprivate mutating func takeNumber(_ size: Int) -> Int? {
        guard count >= size else { return nil }
        defer { removeFirst(size) }
        return prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads a field after its length of `size` bytes, and removes both; `nil` if it is incomplete.
    fileprivate mutating func takeField(lengthOf size: Int) -> ArraySlice<UInt8>? {
        guard let length = takeNumber(size), length <= count else { return nil }
        defer { removeFirst(length) }
        return prefix(length)
    }
}
