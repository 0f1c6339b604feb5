import CSockets
package import Catalogue
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What this machine says of a host name, by whatever ways it is set up to find out
/// (getaddrinfo(3)).
package enum SystemLookup {
    /// Why there is no address.
    package struct Fault: Error, Hashable, Sendable {
        /// In words.
        package var reason: String
    }

    /// The addresses of `host`, which the system may ask others for. It blocks, so that it has a
    /// thread of its own.
    package static func addresses(of host: String) async throws(Fault) -> [IPAddress] {
        let result: Result<[IPAddress], Fault> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: found(host)) }
        }
        return try result.get()
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
            if let address = unsafe IPAddress(entry.pointee), !addresses.contains(address) {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }
}

extension IPAddress {
    /// The address of an entry of a list that the system made.
    fileprivate init?(_ entry: addrinfo) {
        guard let address = unsafe entry.ai_addr else { return nil }
        switch unsafe entry.ai_family {
        case AF_INET:
            let octets = unsafe UnsafeRawPointer(address)
                .loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(octets: unsafe withUnsafeBytes(of: octets) { unsafe Array($0) })
        case AF_INET6:
            let place = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
            let zone =
                place.sin6_scope_id == 0
                ? nil
                : unsafe if_indextoname(place.sin6_scope_id, &name).map {
                    unsafe String(cString: $0)
                }
            let octets = unsafe withUnsafeBytes(of: place.sin6_addr) { unsafe Array($0) }
            self.init(octets: octets, zone: zone)
        default:
            return nil
        }
    }
}
