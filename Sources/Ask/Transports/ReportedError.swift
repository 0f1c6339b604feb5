import CSockets
import Catalogue
import DNSWire
import LibC

/// The part of a sent datagram that an ICMP error quotes.
enum Quotation {
    /// The error quotes another datagram.
    case foreign
    /// The error quotes nothing, or too little to identify the datagram.
    case partial
    case whole

    /// The number of bytes that are compared. An extension or padding may follow 128 bytes. The headers of
    /// IPv6 and UDP take 48 of them (RFC 4884 §4.2).
    private static let longest = 80

    /// The buffer for the quotations of all sockets. A quotation is compared at once and never kept.
    @EventLoopActor
    static let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longest, alignment: 16)

    /// The bytes that `entry` quotes. `entry` must be the last entry read.
    @EventLoopActor
    static func bytes(of entry: cs_queue_entry) -> UnsafeRawBufferPointer {
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
    /// The part of the message that `entry` quotes. `entry` must be the last entry read.
    func quotation(in entry: cs_queue_entry) -> Quotation {
        unsafe withMessage { unsafe Quotation(of: $0, in: Quotation.bytes(of: entry)) }
    }
}

extension Exchange {
    /// Processes an ICMP error on the socket of `attempt`. Throws an error that ends the query.
    ///
    /// Any machine can send an ICMP error, from any address. The kernel compares only the addresses and ports
    /// that the error quotes. An error therefore ends the query only if it is as hard to forge as an answer.
    /// Its sender is the resolver or this machine, and it quotes the ID and the question (RFC 8085 §5.2). Any
    /// other error is the reason if no answer arrives, unless it quotes another message.
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

    /// Processes an error of the receiving call. Throws an error that ICMP cannot have reported. An ICMP
    /// error is also in the error queue, if the system has an error queue.
    mutating func take(fromReceiving error: SystemError) throws(SystemError) {
        guard error.canBeReported else { throw error }
        hasReports = true
        if !Socket.hasErrorQueue { obstacle = error }
    }

    /// Ends without an answer, as a timeout or as cancelled.
    mutating func endUnanswered(isCancelled: Bool) {
        if isCancelled { result = .cancelled } else if let obstacle { result = obstacle.result }
    }
}

extension cs_queue_entry {
    /// The address of the sender of an ICMP error; `nil` if it is unknown.
    var senderAddress: IPAddress? {
        unsafe withUnsafeBytes(of: sender) { bytes in
            unsafe IPAddress(bytes: Array(bytes.prefix(Int(sender_length))))
        }
    }

    /// The error in the form that a socket without an error queue returns.
    var report: SystemError { SystemError("recvmsg", code: error) }

    /// Whether the sender is `source`, an address of this machine, or `resolver`.
    func isSent(from source: IPAddress?, or resolver: IPAddress?) -> Bool {
        guard let sender = senderAddress else { return false }
        return sender.bytes == source?.bytes || sender.bytes == resolver?.bytes
    }

    /// Whether this machine, at `source`, reports that it cannot forward a packet to `resolver`, for example
    /// because its ARP request has no answer.
    func isOwnReport(at source: IPAddress?, to resolver: IPAddress?) -> Bool {
        guard let sender = senderAddress, icmp != CS_ICMP_TIME_EXCEEDED else { return false }
        return sender.bytes == source?.bytes && sender.bytes != resolver?.bytes
    }

    /// The error for a query from `source` to `resolver`. It is a sending error if the query never left this
    /// machine. A resolver on this network may itself leave an ARP request unanswered.
    func failure(at source: IPAddress?, to resolver: IPAddress?) -> SystemError {
        let isUnsent =
            error == EHOSTUNREACH && resolver?.isPrivate == false
            && isOwnReport(at: source, to: resolver)
        return isUnsent ? SystemError("send", code: error) : report
    }
}
