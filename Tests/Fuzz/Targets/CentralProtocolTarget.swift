#if DEBUG || TESTABLE
import Catalogue
import Foundation
import Store
import Synchronization

@testable import Central

/// Arbitrary bytes from the server of a central store: its greeting, or its answers to statements
/// after a valid greeting.
enum CentralProtocolTarget {
    private static let liar = CentralLiar()
    private static let limits = 1 << 16
    private static let patience = Duration.seconds(1)

    static func take(_ input: [UInt8]) {
        let url =
            "postgresql://me@127.0.0.1:\(liar?.port ?? 0)/db?sslmode=disable&gssencmode=disable"
        guard let liar, let address = IPAddress("127.0.0.1"),
            let target = try? CentralAddress(parsing: url)
        else { accuse("no server on loopback") }
        liar.prepare(input)
        let start = ContinuousClock.now
        let deadline = start.advanced(by: patience)
        let notices = Mutex(0)
        if let connection = try? CentralConnection(
            target,
            at: address,
            limits: CentralLimits(bytes: limits, deadline: deadline),
            notice: { notice in
                if notice.utf8.count > 2000 { accuse("a notice of any length") }
                notices.withLock { $0 += 1 }
            }
        ) {
            // The client connects once more to a server that broke the connection.
            for _ in 0..<2 { read(try? connection.query("SELECT $1", [.integer(1)])) }
        }
        if notices.withLock(\.self) > 8 { accuse("any number of notices") }
        if start.duration(to: .now) > patience + .seconds(2) { accuse("longer than the deadline") }
    }

    private static func read(_ rows: CentralRows?) {
        guard let rows else { return }
        if rows.cost > limits { accuse("more rows than the limit") }
        for row in 0..<min(rows.count, 10) {
            for column in 0..<10 {
                _ = rows.integer(row, column)
                _ = rows.text(row, column)
                if rows.bytes(row, column)?.count ?? 0 > limits { accuse("a value of any length") }
                for kind in [StoredTable.Kind.integer, .real, .text, .blob] {
                    _ = try? rows.value(kind, row, column)
                }
            }
        }
    }
}

/// A server on a port of 127.0.0.1 that sends the input, whatever the client requests.
private final class CentralLiar: Sendable {
    let port: UInt16
    private let listener: Int32
    private let input = Mutex<[UInt8]>([])

    init?() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = unsafe withUnsafeMutableBytes(of: &place) { octets -> Bool in
            let start = unsafe octets.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let start = unsafe start else { return false }
            return unsafe bind(listener, start, length) == 0 && listen(listener, 16) == 0
                && getsockname(listener, start, &length) == 0
        }
        guard isOpen else { return nil }
        self.listener = listener
        port = UInt16(bigEndian: place.sin_port)
        Thread.detachNewThread { [self] in
            while true { serve() }
        }
    }

    func prepare(_ octets: [UInt8]) { input.withLock { $0 = octets } }

    private func serve() {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        var rest = input.withLock(\.self)[...]
        let choice = rest.popFirst() ?? 0
        // Only a client that received a valid greeting sends statements.
        let octets = (choice & 0x80 == 0 ? Self.greeting : []) + rest
        let size = max(1, Int(choice & 0x7f) * 8)
        for start in stride(from: 0, to: octets.count, by: size) {
            let piece = octets[start..<min(octets.count, start + size)]
            let sent = unsafe piece.withUnsafeBytes {
                unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent >= 0 else { return }
        }
        shutdown(client, Int32(SHUT_WR))
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe recv(client, &buffer, buffer.count, 0) > 0 {}
    }

    /// Authentication, readiness, and the answer to the statement that changes settings.
    private static let greeting: [UInt8] =
        message("R", [0, 0, 0, 0]) + message("Z", [0x49])
        + message("1") + message("2") + message("n") + message("C", Array("SET\0".utf8))
        + message("Z", [0x49])

    private static func message(_ kind: Unicode.Scalar, _ content: [UInt8] = []) -> [UInt8] {
        [UInt8(ascii: kind), 0, 0, 0, UInt8(content.count + 4)] + content
    }
}
#endif
