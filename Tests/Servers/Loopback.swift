import Foundation
import Synchronization

/// Free loopback ports. Each port is returned only once in this process.
package enum Loopback {
    private static let taken = Mutex<Set<UInt16>>([])

    /// Returns a port that is free for UDP and TCP on 127.0.0.1 and ::1. It is below the ephemeral ports of
    /// the system.
    package static func freePort() throws(ServerError) -> UInt16 {
        for _ in 0..<1_000 {
            let port = UInt16.random(in: 10_000..<32_000)
            guard taken.withLock({ $0.insert(port).inserted }) else { continue }
            // No child may start during the check, because it could inherit the socket.
            if Spawn.births.withLock({ _ in isFree(port) }) { return port }
        }
        throw ServerError("no free port on loopback between 10000 and 32000")
    }

    /// Whether this machine has ::1.
    package static let hasIPv6: Bool = {
        (try? LoopbackSocket.bound(.udp, to: SocketAddress("::1", port: 0))) != nil
    }()

    private static func isFree(_ port: UInt16) -> Bool {
        for address in hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"] {
            let address = SocketAddress(address, port: port)
            do throws(ServerError) {
                _ = try LoopbackSocket.bound(.udp, to: address)
                _ = try LoopbackSocket.bound(.tcp, to: address)
            } catch {
                return false
            }
        }
        return true
    }
}
