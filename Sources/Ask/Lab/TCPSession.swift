import CSockets

/// One TCP connection: queries in, replies out in the order they are due (RFC 7766 §6.2).
final class TCPSession {
    /// A connection without traffic is closed after 10 s (RFC 7766 §6.2.3).
    private static let idleLimit: Int64 = 10_000_000_000
    /// The most octets that a peer that does not read may leave unsent.
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

    /// Whether nothing is left to do for the peer.
    func isFinished(at now: Int64) -> Bool {
        guard !isBroken else { return true }
        guard pending == 0 else { return false }
        return hasEnded && outbound.isEmpty || now - lastTraffic > Self.idleLimit
    }

    /// Reads once: the messages that are complete, and when the last octet came.
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

/// Cuts a TCP stream into messages, each behind two octets of length (RFC 1035 §4.2.2).
struct FrameAssembler {
    private var buffer: [UInt8] = []

    /// Takes what arrived and returns the messages that it completes.
    mutating func append(_ octets: some Sequence<UInt8>) -> [[UInt8]] {
        buffer += octets
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
        UInt16(truncatingIfNeeded: message.count).networkOctets + message
    }
}
