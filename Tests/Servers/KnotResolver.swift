/// Knot Resolver over UDP, TLS and HTTPS. It forwards every query to another server and caches nothing.
package struct KnotResolver: ServerProgram {
    package static let command = "kresd"
    package static let package = "knot-resolver"

    package let address = "127.0.0.1"
    /// The address for queries over TLS.
    package let tls: SocketAddress
    /// The address for queries over HTTPS.
    package let https: SocketAddress
    let certificate: Certificate
    /// The address of the server that gives the answers.
    let backend: SocketAddress

    package init(_ certificate: Certificate, backend: SocketAddress) throws {
        tls = SocketAddress(address, port: try Loopback.freePort())
        https = SocketAddress(address, port: try Loopback.freePort())
        self.certificate = certificate
        self.backend = backend
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let config = """
            log_target('stderr')
            -- What asks by itself: for the root's servers, and for its keys.
            for _, name in ipairs({'priming', 'ta_update', 'ta_signal_query', 'detect_time_skew'}) do
              modules.unload(name)
            end
            trust_anchors.remove('.')
            reorder_RR(false)
            net.outgoing_v4('127.0.0.1')
            net.outgoing_v6('::1')
            cache.open(10 * MB, 'lmdb://\(folder.path)')
            net.listen('\(address)', \(ports[0]), { kind = 'dns' })
            net.listen('\(address)', \(tls.port), { kind = 'tls' })
            net.listen('\(address)', \(https.port), { kind = 'doh2' })
            net.tls('\(certificate.file)', '\(certificate.key)')
            policy.add(policy.all(policy.FLAGS({'NO_CACHE'})))
            policy.add(policy.all(policy.STUB('\(backend.address)@\(backend.port)')))

            """
        return ["-n", "-c", try folder.write(config, to: "kresd.conf"), folder.path]
    }
}
