import CSockets

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A failed system call's errno.
struct SystemError: Error, Hashable, CustomStringConvertible {
    let code: Int32

    var description: String { unsafe String(cString: strerror(code)) }
    /// Nothing to do now; later there may be.
    var isTransient: Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

/// Sole owner of one file descriptor; `deinit` closes it.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over what a system call gave, or throws its errno.
    init(owning result: Int32) throws(SystemError) {
        guard result >= 0 else { throw SystemError(code: -result) }
        number = result
    }

    deinit { close(number) }

    /// Receives at most `buffer.count` octets: how many, from whom, and when in CLOCK_MONOTONIC
    /// nanoseconds, by the kernel's receive stamp.
    func receive(
        into buffer: inout [UInt8]
    ) throws(SystemError) -> (count: Int, peer: cs_lab_peer, arrival: Int64) {
        var peer = cs_lab_peer()
        var arrival: Int64 = 0
        let capacity = buffer.count
        let count = unsafe cs_lab_receive(number, &buffer, capacity, &peer, &arrival)
        guard count >= 0 else { throw SystemError(code: Int32(-count)) }
        return (count, peer, arrival)
    }

    /// Sends a datagram.
    func send(_ octets: [UInt8], to peer: cs_lab_peer) throws(SystemError) {
        let count = unsafe withUnsafePointer(to: peer) {
            unsafe cs_lab_send(number, octets, octets.count, $0)
        }
        guard count >= 0 else { throw SystemError(code: Int32(-count)) }
    }

    /// Sends as much along the connection as fits: how many octets.
    func send(_ octets: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let count = unsafe octets.withUnsafeBytes {
            unsafe cs_lab_send(number, $0.baseAddress, $0.count, nil)
        }
        guard count >= 0 else { throw SystemError(code: Int32(-count)) }
        return count
    }
}
