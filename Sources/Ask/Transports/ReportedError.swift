import CSockets
import Catalogue
import DNSWire
import LibC

/// How much an ICMP error quotes of a datagram that was sent.
enum Quotation {
    /// It quotes another datagram.
    case foreign
    /// It quotes too little to be sure, or nothing.
    case partial
    case whole

    /// The number of bytes that are compared. An extension or padding may follow 128 bytes, of which 48
    /// are the headers of IPv6 and UDP (RFC 4884 §4.2).
    private static let longest = 80

    /// The buffer for the quotations of all sockets. A quotation is compared at once and never kept.
    @EventLoopActor
    static let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longest, alignment: 16)

    /// The bytes that `entry`, the entry that was read last, quotes.
    @EventLoopActor
    static func octets(of entry: cs_queue_entry) -> UnsafeRawBufferPointer {
        let count = unsafe min(Int(entry.quoted_length), buffer.count)
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    init(of datagram: UnsafeRawBufferPointer, in quoted: UnsafeRawBufferPointer) {
        let expected = unsafe datagram.prefix(Self.longest)
        guard unsafe zip(expected, quoted).allSatisfy({ $0 == $1 }) else {
            self = .foreign
            return
        }
        self = unsafe quoted.count < expected.count ? .partial : .whole
    }
}

extension Attempt {
    /// How much `entry`, the entry that was read last, quotes of the message.
    func quotation(in entry: cs_queue_entry) -> Quotation {
        unsafe withMessage { unsafe Quotation(of: $0, in: Quotation.octets(of: entry)) }
    }
}

extension Exchange {
    /// Takes what ICMP reports to the socket of `attempt`; throws an error that ends the query.
    ///
    /// Any machine can send an ICMP error, from any address. The kernel compares only the addresses and
    /// ports that the error quotes. An error therefore ends the query only if it is as hard to forge as an
    /// answer. Its sender is the resolver or this machine, and it quotes the ID and the question (RFC 8085
    /// §5.2). Any other error is the reason if no answer comes, unless it quotes another message.
    @EventLoopActor
    mutating func take(
        _ entry: cs_queue_entry,
        about attempt: Attempt,
        from socket: borrowing Socket
    ) throws(SystemError) {
        hasReports = true
        if entry.is_local != 0 { throw SystemError("send", code: entry.error) }
        let quotation = attempt.quotation(in: entry)
        guard quotation != .foreign else { return }
        let (source, resolver) = (socket.source, socket.peer)
        if quotation == .whole, entry.isSent(from: source, or: resolver) {
            throw entry.failure(at: source, to: resolver)
        }
        if obstacle == nil || quotation == .whole { obstacle = entry.report }
    }

    /// Takes an error of the call that receives; throws an error that ICMP cannot have reported. An error of
    /// ICMP is also in the error queue, where the system has one.
    mutating func take(fromReceiving error: SystemError) throws(SystemError) {
        guard error.canBeReported else { throw error }
        hasReports = true
        if !Socket.hasErrorQueue { obstacle = error }
    }

    /// Ends without an answer: the time is up, unless it was cancelled before.
    mutating func endUnanswered(isCancelled: Bool) {
        if isCancelled { result = .cancelled } else if let obstacle { result = obstacle.result }
    }
}

extension cs_queue_entry {
    /// The address that reports an ICMP error; `nil` where it is unknown.
    var senderAddress: IPAddress? {
        unsafe withUnsafeBytes(of: sender) { octets in
            unsafe IPAddress(octets: Array(octets.prefix(Int(sender_length))))
        }
    }

    /// The error as a socket without an error queue would have it.
    var report: SystemError { SystemError("recvmsg", code: error) }

    /// Whether `source`, an address of this machine, or `resolver` reports it.
    func isSent(from source: IPAddress?, or resolver: IPAddress?) -> Bool {
        guard let sender = senderAddress else { return false }
        return sender.octets == source?.octets || sender.octets == resolver?.octets
    }

    /// Whether this machine itself, at `source`, reports a packet that it cannot send on to `resolver`, as
    /// where its ARP request has no answer.
    func isOwnReport(at source: IPAddress?, to resolver: IPAddress?) -> Bool {
        guard let sender = senderAddress, icmp != CS_ICMP_TIME_EXCEEDED else { return false }
        return sender.octets == source?.octets && sender.octets != resolver?.octets
    }

    /// The error that it reports to a query from `source` to `resolver`: one of sending, where the query
    /// never left this machine. One on this network may be itself what does not answer its ARP.
    func failure(at source: IPAddress?, to resolver: IPAddress?) -> SystemError {
        let isUnsent =
            error == EHOSTUNREACH && resolver?.isPrivate == false
            && isOwnReport(at: source, to: resolver)
        return isUnsent ? SystemError("send", code: error) : report
    }
}
