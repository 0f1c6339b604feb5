import CSockets
package import Catalogue
import Dispatch
import LibC
import Synchronization

/// An address and a port in the form that system calls require.
@safe
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// `AF_INET` or `AF_INET6`.
    let family: Int32
    /// The source of packets to this address; `nil` lets the system choose.
    private let source: Source?
    /// The mark of packets to this address; `nil` for the system's own.
    private let mark: DSCP?
    /// The zone of a link-local address. A named interface gets a new number each time it is plugged in.
    private let zone: String?

    private indirect enum Source {
        case address(SocketAddress)
        case interface(String)
    }

    init(_ endpoint: Endpoint) {
        switch endpoint.source {
        case .address(let address):
            source = .address(SocketAddress(Endpoint(transport: .udp, address: address, port: 0)))
        case .interface(let name): source = .interface(name)
        case nil: source = nil
        }
        mark = endpoint.mark
        let isV6 = endpoint.address.family == .v6
        family = isV6 ? AF_INET6 : AF_INET
        length = socklen_t(
            isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        )
        zone = isV6 ? endpoint.address.zone : nil
        storage.ss_family = sa_family_t(family)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            // Both families store the port at the same offset. In IPv6 a flow label follows.
            let port = endpoint.port.bigEndian
            unsafe bytes.storeBytes(of: port, toByteOffset: 2, as: UInt16.self)
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(isV6 ? 8 : 4)...])
            unsafe place.copyBytes(from: endpoint.address.bytes)
        }
    }

    /// Whether the system chooses the source and the mark of packets to this address.
    var isPlain: Bool { source == nil && mark == nil }

    /// Binds a socket to the source before it connects, if there is a source, and marks its packets.
    func prepare(_ descriptor: Int32, isStream: Bool = false) throws(SystemError) {
        if let mark {
            guard cs_mark(descriptor, family, mark.value) == 0 else { throw SystemError("mark") }
        }
        switch source {
        case .address(let address):
            if isStream { cs_bind_without_port(descriptor) }
            guard address.bind(descriptor) == 0 else { throw SystemError("bind") }
        case .interface(let name):
            let bound = unsafe cs_bind_to_interface(descriptor, name, family)
            guard bound == 0 else { throw SystemError("bind") }
        case nil: break
        }
    }

    /// Calls `body` with the address, in the current interface of the zone. Returns -1 without such an
    /// interface, like a system call.
    private func lend(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var storage = storage
        if let zone {
            guard let index = NetworkInterface.number(ofZone: zone) else {
                errno = ENODEV
                return -1
            }
            unsafe withUnsafeMutablePointer(to: &storage) { storage in
                unsafe storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    unsafe address.pointee.sin6_scope_id = index
                }
            }
        }
        return unsafe withUnsafePointer(to: storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe body(address, length)
            }
        }
    }

    private func bind(_ descriptor: Int32) -> Int32 {
        unsafe lend { unsafe LibC.bind(descriptor, $0, $1) }
    }

    /// Sends a datagram to this address from an unconnected socket. Returns -1 on failure.
    func send(_ bytes: UnsafeRawBufferPointer, from descriptor: Int32) -> Int32 {
        let (data, count) = (bytes.baseAddress, bytes.count)
        return unsafe lend {
            Int32(clamping: unsafe sendto(descriptor, data, count, 0, $0, $1))
        }
    }

    /// Connects a socket. On a datagram socket, this only sets the peer that it sends to and receives from.
    func connect(_ descriptor: Int32) -> Int32 {
        unsafe lend { unsafe LibC.connect(descriptor, $0, $1) }
    }
}

/// The address of this machine from which queries leave.
package enum SourceAddress {
    /// Explains why nothing can leave from `source`, and the correction, as the rest of a sentence; `nil` if
    /// it can.
    package static func fault(of source: QuerySource) -> String? {
        let family: IPAddress.Family =
            if case .address(let own) = source { own.family } else { .v4 }
        let data = [UInt8](repeating: 0, count: family == .v4 ? 4 : 16)
        guard let anywhere = IPAddress(bytes: data) else { return nil }
        let destination = SocketAddress(
            Endpoint(transport: .udp, address: anywhere, port: 0, source: source)
        )
        do throws(SystemError) {
            let socket = try Socket(.datagram, family: destination.family)
            try destination.prepare(socket.descriptor)
            return nil
        } catch {
            switch (error.code, source) {
            case (EADDRNOTAVAIL, _), (ENODEV, .address):
                return "is no address of this machine; 'ip address' shows those"
            case (ENODEV, _), (ENXIO, _), (EINVAL, .interface):
                return "is no interface of this machine; 'ip address' shows those"
            case (EPERM, .interface):
                return "may be used by root alone on this system; give the interface's address"
            default: return "cannot be used (\(error.reason)); give another"
            }
        }
    }

    /// The address, without its zone, from which queries to `endpoint` leave; `nil` without a route. Sends
    /// nothing.
    package static func toward(_ endpoint: Endpoint) -> IPAddress? {
        guard let socket = try? connected(to: endpoint) else { return nil }
        return socket.source
    }

    /// Whether queries over UDP to `address` can leave this machine. Sends nothing.
    package static func hasRoute(to address: IPAddress) -> Bool {
        toward(Endpoint(transport: .udp, address: address, port: 53)) != nil
    }

    /// The reason why there is no route to `endpoint`; `nil` if there is a route. Sends nothing.
    package static func obstacle(toward endpoint: Endpoint) -> String? {
        do throws(SystemError) {
            _ = try connected(to: endpoint)
            return nil
        } catch {
            return error.isNoRoute ? error.reason : nil
        }
    }

    private static func connected(to endpoint: Endpoint) throws(SystemError) -> Socket {
        let destination = SocketAddress(endpoint)
        let socket = try Socket(.datagram, family: destination.family)
        try socket.connect(to: destination)
        return socket
    }
}

extension Socket {
    /// Receives a datagram and its source; `nil` if no datagram has arrived or the turn's budget is used up.
    func receiveWithSource(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> (count: Int, source: Endpoint)? {
        guard budget.allowsMessage() else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var address: IPAddress?
        let count = unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                let (start, room) = (buffer.baseAddress, buffer.count)
                let count = unsafe recvfrom(descriptor, start, room, 0, place, &length)
                if count >= 0 { address = unsafe IPAddress(place, length) }
                return count
            }
        }
        guard count >= 0 else {
            if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
            throw SystemError("recvfrom")
        }
        budget.spend(bytes: count, Arrival(stamp: nil, clocks: cs_read_clocks()))
        guard let address else { return nil }
        // In both families the port follows the family field.
        let port = unsafe withUnsafeBytes(of: storage) {
            unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
        }
        return (count, Endpoint(transport: .udp, address: address, port: port))
    }

    /// The socket's own address, without its zone, once it is connected.
    var source: IPAddress? { unsafe end(getsockname) }

    /// The address of the connected peer, without its zone.
    var peer: IPAddress? { unsafe end(getpeername) }

    private func end(
        _ find: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> IPAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe find(descriptor, address, &length) == 0 else { return nil }
                return unsafe IPAddress(address, length).flatMap { IPAddress(bytes: $0.bytes) }
            }
        }
    }
}

/// Looks up a host name with the system's resolver, by the configured methods (getaddrinfo(3)).
package enum SystemLookup {
    package struct Fault: Error, Hashable, Sendable {
        package var reason: String
    }

    /// The addresses of `host`. The system may send queries for it. The lookup blocks, so it runs on its own
    /// thread.
    package static func addresses(of host: String) async throws(Fault) -> [IPAddress] {
        let result: Result<[IPAddress], Fault> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: found(host)) }
        }
        return try result.get()
    }

    /// Looks up `host` for a caller that blocks, at most until `end`, or until the descriptor `stop` is
    /// readable or hung up. -1 means no descriptor. An abandoned lookup occupies its thread until the system
    /// ends it.
    package static func addressesWaited(
        of host: String,
        until end: ContinuousClock.Instant,
        stop: Int32
    ) throws(Fault) -> [IPAddress] {
        // An address needs no lookup.
        if IPAddress(host) != nil { return try found(host).get() }
        let lookup = Lookup()
        guard lookup.isReady else { return try found(host).get() }
        DispatchQueue.global().async { lookup.finish(found(host)) }
        return try lookup.result(until: end, stop: stop).get()
    }

    /// A lookup on another thread, and the pipe that signals its end.
    private final class Lookup: Sendable {
        private let ends: [Int32]
        private let found = Mutex<Result<[IPAddress], Fault>?>(nil)

        init() {
            var ends: [Int32] = [-1, -1]
            if unsafe pipe(&ends) == 0 {
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            }
            self.ends = ends
        }

        var isReady: Bool { ends[0] >= 0 }

        deinit { for end in ends where end >= 0 { close(end) } }

        func finish(_ found: Result<[IPAddress], Fault>) {
            self.found.withLock { $0 = found }
            _ = unsafe write(ends[1], [0] as [UInt8], 1)
        }

        func result(
            until end: ContinuousClock.Instant,
            stop: Int32
        ) -> Result<[IPAddress], Fault> {
            var entries = [ends[0], stop].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            while true {
                if let found = found.withLock(\.self) { return found }
                let rest = ContinuousClock.now.duration(to: end)
                guard rest > .zero, entries[1].revents == 0 else {
                    return .failure(Fault(reason: "no answer in time"))
                }
                let limit = min(60_000, (rest / .milliseconds(1)).rounded(.up))
                _ = unsafe poll(&entries, 2, Int32(limit))
            }
        }
    }

    private static func found(_ host: String) -> Result<[IPAddress], Fault> {
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, nil, &list)
        guard code == 0 else {
            let words = unsafe gai_strerror(code).map { unsafe String(cString: $0) }
            return .failure(Fault(reason: words ?? "error \(code)"))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            let (place, length) = unsafe (entry.pointee.ai_addr, entry.pointee.ai_addrlen)
            if let address = unsafe IPAddress(place, length), !addresses.contains(address) {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }
}

extension IPAddress {
    /// The address that the system has written; `nil` if it is of another family.
    fileprivate init?(_ address: UnsafePointer<sockaddr>?, _ length: socklen_t) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN + IF_NAMESIZE))
        let (room, flags) = (socklen_t(text.count), NI_NUMERICHOST)
        guard unsafe getnameinfo(address, length, &text, room, nil, 0, flags) == 0 else {
            return nil
        }
        let data = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self.init(String(decoding: data, as: UTF8.self))
    }
}
