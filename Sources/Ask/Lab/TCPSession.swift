import CSockets

/// One TCP connection that reads queries, and sends replies in the order in which they are due (RFC
/// 7766 §6.2).
final class TCPSession {
    /// A connection without traffic is closed after 10 s (RFC 7766 §6.2.3).
    private static let idleLimit: Int64 = 10_000_000_000
    /// The maximum number of unsent bytes for a peer that does not read.
    private static let outboundLimit = 1 << 20

    let descriptor: Descriptor
    let resolver: Int
    var pending = 0
    private var frames = FrameAssembler()
    private var outbound: [UInt8] = []
    private var lastTraffic: Int64
    private var hasEnded = false
    private var isBroken = false

    init(_ descriptor: consuming Descriptor, resolver: Int, now: Int64) {
        self.descriptor = descriptor
        self.resolver = resolver
        lastTraffic = now
    }

    var wantsToRead: Bool { !hasEnded }
    var wantsToWrite: Bool { !outbound.isEmpty }

    /// Whether no work is left for the peer.
    func isFinished(at now: Int64) -> Bool {
        guard !isBroken else { return true }
        guard pending == 0 else { return false }
        return hasEnded && outbound.isEmpty || now - lastTraffic > Self.idleLimit
    }

    /// Reads once. Returns the complete messages, and the time when the last byte arrived.
    func receive(_ buffer: inout [UInt8]) -> (messages: [[UInt8]], arrival: Int64) {
        do throws(SystemError) {
            let (count, _, arrival) = try descriptor.receive(into: &buffer)
            hasEnded = hasEnded || count == 0
            lastTraffic = arrival
            return (frames.append(buffer[..<count]), arrival)
        } catch {
            isBroken = !error.isTransient
            return ([], 0)
        }
    }

    func send(_ message: [UInt8], now: Int64) {
        pending -= 1
        lastTraffic = now
        outbound += FrameAssembler.frame(message)
        flush()
        isBroken = isBroken || outbound.count > Self.outboundLimit
    }

    func flush() {
        do throws(SystemError) {
            while !outbound.isEmpty { outbound.removeFirst(try descriptor.send(outbound[...])) }
        } catch {
            isBroken = isBroken || !error.isTransient
        }
    }

    func hangUp() { isBroken = true }
}

/// Splits a TCP stream into messages, each after two bytes with its length (RFC 1035 §4.2.2).
struct FrameAssembler {
    private var buffer: [UInt8] = []

    /// Adds the received bytes, and returns the messages that they complete.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        buffer += bytes
        var messages: [[UInt8]] = []
        var start = 0
        while buffer.count - start >= 2 {
            let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
            guard buffer.count - start - 2 >= length else { break }
            messages.append(Array(buffer[start + 2..<start + 2 + length]))
            start += 2 + length
        }
        buffer.removeFirst(start)
        return messages
    }

    static func frame(_ message: [UInt8]) -> [UInt8] {
        UInt16(truncatingIfNeeded: message.count).networkBytes + message
    }
}
