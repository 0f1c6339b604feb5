package import Catalogue
package import Failures
import Synchronization

/// Simulated resolvers on loopback. One separate thread serves them until they are stopped.
///
/// A reply is due its drawn delay after the kernel's receive stamp of the query. Neither the
/// thread's scheduling nor a queue of queries adds to the delay. A client measures the drawn delay
/// and the path out of this process. The path is one system call, and on a busy machine the wait
/// for a processor. Nothing is subtracted for them. Only 127.0.0.1 and ::1 are ever bound.
package final class Laboratory: Sendable {
    private let behaviours: [Behaviour]
    private let seed: UInt64
    private let families: [IPAddress.Family]
    private let basePort: UInt16?
    private let thread = Mutex<ServingThread?>(nil)

    /// Creates resolvers. With `basePort` they have consecutive ports from it on, otherwise ports
    /// that the kernel chooses.
    ///
    /// With one seed, each resolver always has the same delays and faults, in the order of its
    /// queries.
    package init(
        _ behaviours: [Behaviour],
        seed: UInt64,
        families: [IPAddress.Family] = [.v4],
        basePort: UInt16? = nil
    ) {
        self.behaviours = behaviours
        self.seed = seed
        self.families = families
        self.basePort = basePort
    }

    /// Binds the sockets and serves. Returns the address of each resolver in the given order, IPv4
    /// first.
    package func start() throws(Failure) -> [LabResolver] {
        try check()
        return try thread.withLock { (thread: inout ServingThread?) throws(Failure) in
            guard thread == nil else { throw .usage("the lab is running already; stop it first") }
            var places: [LabResolver] = []
            var sockets: [BoundSocket] = []
            for index in behaviours.indices {
                let group = try bind(index)
                sockets += group.sockets
                places += families.map {
                    LabResolver(name: behaviours[index].name, family: $0, port: group.port)
                }
            }
            let resolvers = behaviours.enumerated().map { index, behaviour in
                SimulatedResolver(behaviour, seed: seed, index: index)
            }
            do throws(SystemError) {
                thread = try ServingThread(resolvers, sockets: sockets)
            } catch {
                throw .usage("cannot start the lab's thread: \(error); close other programs")
            }
            return places
        }
    }

    /// Closes every socket and waits for the thread. Replies that are not due yet are dropped.
    package func stop() { thread.withLock { $0 = nil } }

    private func check() throws(Failure) {
        guard !behaviours.isEmpty else { throw .usage("the lab has no resolvers; name one") }
        var names: Set<String> = []
        for behaviour in behaviours {
            try behaviour.validate()
            guard names.insert(behaviour.name).inserted else {
                throw .usage("two lab resolvers are named '\(behaviour.name)'; rename one")
            }
        }
    }

    private func bind(_ index: Int) throws(Failure) -> (port: UInt16, sockets: [BoundSocket]) {
        let port = basePort.map { Int($0) + index } ?? 0
        guard port <= 65535, basePort != 0 else {
            throw .usage("port \(port) does not exist; choose a base port from 1 to 65535")
        }
        do throws(SystemError) {
            let port = UInt16(truncatingIfNeeded: port)
            return try BoundSocket.group(resolver: index, families: families, port: port)
        } catch {
            let address = families == [.v4] ? "127.0.0.1" : families == [.v6] ? "::1" : "loopback"
            throw .usage(
                basePort == nil
                    ? "cannot bind a port on \(address): \(error); try the other address family"
                    : "cannot bind \(address) port \(port): \(error); choose another base port"
            )
        }
    }
}

/// The address of one simulated resolver, over UDP and TCP.
package struct LabResolver: Hashable, Sendable {
    package let name: String
    package let family: IPAddress.Family
    package let port: UInt16

    /// The loopback address, four or 16 bytes.
    package var bytes: [UInt8] {
        family == .v4 ? [127, 0, 0, 1] : [UInt8](repeating: 0, count: 15) + [1]
    }
}
