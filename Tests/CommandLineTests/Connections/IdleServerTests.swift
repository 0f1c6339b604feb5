import Foundation
import Servers
import Testing

/// `connections` with servers of other authors, whose idle timeouts are known.
@Suite struct IdleServerTests {
    /// The row of the only resolver in the report.
    private func observed(
        _ resolver: String,
        _ root: String,
        upTo: String = "6s"
    ) async throws -> [String: Any] {
        let run = try await Command.succeed(
            ["connections", resolver, "--up-to", upTo, "--timeout", "1s", "--rate", "20"]
                + ["--total-rate", "60", "--format", "json", "-d", "a.example.com"]
                + ["--zone", "example.com"] + (resolver.contains("#") ? ["--ca", root] : [])
        )
        let rows = try JSON(run.output)["connections"] as? [[String: Any]]
        return try #require(rows?.first)
    }

    /// Expects that the observed timeout is within 1 s or 5 % of `timeout`.
    private func expect(
        _ row: [String: Any],
        _ timeout: Double,
        _ signals: [String],
        isExact: Bool = true
    ) throws {
        let found = try #require(row["idle_timeout_s"] as? Double, "\(row)")
        #expect(abs(found - timeout) <= max(1, 0.05 * timeout), "\(row)")
        #expect(signals.contains(row["ended_by"] as? String ?? ""), "\(row)")
        #expect(row["failure"] is NSNull, "\(row)")
        let gaps = try #require(row["gaps"] as? Int)
        #expect(isExact ? gaps <= 2 : gaps > 1 && gaps <= 7)
    }

    @Test func `unbound ends connections over TCP and TLS after its idle timeout`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let control = folder.file("control")
        let settings = [
            "interface: 127.0.0.1@\(port)", "tls-port: \(port)",
            "tls-service-key: \"\(certificate.key)\"", "tls-service-pem: \"\(certificate.file)\"",
            "tcp-idle-timeout: 3000", "extended-statistics: yes",
        ]
        try await withServer(.unbound(control: control, settings: settings)) { server in
            let before = try await Unbound.statistics(control: control)
            let tcp = try await observed("tcp://\(server.endpoint)", authority.root)
            try expect(tcp, 3, ["FIN"])
            let tls = try await observed("tls://127.0.0.1:\(port)#dot.test", authority.root)
            try expect(tls, 3, ["FIN"])
            #expect(tcp["tickets"] is NSNull && tls["tickets"] as? Bool == true)
            // The server received as many queries as the program counts.
            let after = try await Unbound.statistics(control: control)
            let sent = [tcp, tls].compactMap { $0["queries"] as? Int }.reduce(0, +)
            let counted = (after["num.query.tcp"] ?? 0) - (before["num.query.tcp"] ?? 0)
            #expect(Double(sent) == counted)
        }
    }

    @Test func `dnsdist ends connections after its receive timeout`() async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        let tls = SocketAddress("127.0.0.1", port: try Loopback.freePort())
        try await withServer(.unbound()) { backend in
            let files = "\"\(certificate.file)\", \"\(certificate.key)\""
            let dnsdist = Dnsdist.dnsdist(
                delays: [0],
                settings: ["setTCPRecvTimeout(3)", "addTLSLocal(\"\(tls)\", \(files))"],
                backend: backend.endpoint
            )
            try await withServer(dnsdist) { server in
                try expect(await observed("tcp://\(server.endpoint)", authority.root), 3, ["FIN"])
                let row = try await observed("tls://\(tls)#dot.test", authority.root)
                try expect(row, 3, ["FIN"])
            }
        }
    }

    @Test func `nginx ends connections after its keepalive timeout`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        try await withHTTPBackend { backend in
            let nginx = Nginx(
                certificate,
                backend: backend,
                log: folder.file("log"),
                settings: ["keepalive_timeout 3s;"]
            )
            try await withServer(nginx) { server in
                let resolver = "https://127.0.0.1:\(server.port)#dot.test"
                let row = try await observed(resolver, authority.root)
                try expect(row, 3, ["GOAWAY", "FIN"])
                #expect(row["early_data"] as? Bool == true)
                // Each query is one request.
                let requests = folder.text("log").split(separator: "\n").count
                #expect(row["queries"] as? Int == requests)
            }
        }
    }

    @Test func `Caddy ends connections after its idle timeout`() async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified()
        try await withHTTPBackend { backend in
            let caddy = Caddy(certificate, backend: backend, idleTimeout: "3s")
            try await withServer(caddy) { server in
                let resolver = "https://127.0.0.1:\(server.port)#dot.test"
                try expect(await observed(resolver, authority.root), 3, ["GOAWAY", "FIN"])
            }
        }
    }

    @Test func `a server that drops connections silently is found by bisection`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let responder = TLSResponder(.drop, certificate, log: folder.file("log"))
        try await withServer(responder) { server in
            let row = try await observed("tls://127.0.0.1:\(server.port)#dot.test", authority.root)
            try expect(row, 2, ["silence"], isExact: false)
            let log = folder.text("log").split(separator: "\n")
            let connections = log.count { $0.hasPrefix("connection ") }
            #expect(row["connections"] as? Int == connections)
            // A lost query is sent and never read.
            let lost = log.count { $0 == "dropped" }
            let read = log.count { $0.hasPrefix("query ") }
            let sent = try #require(row["queries"] as? Int)
            #expect((read...read + lost).contains(sent))
        }
    }

    @Test func `the order of answers shows`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let responder = TLSResponder(.queue, certificate, log: folder.file("log"))
        try await withServer(responder) { server in
            let resolver = "tls://127.0.0.1:\(server.port)#dot.test"
            let row = try await observed(resolver, authority.root, upTo: "1s")
            #expect(row["answer_order"] as? String == "in_order")
        }
        try await withServer(.unbound()) { backend in
            let slow = Dnsdist.dnsdist(delays: [100], backend: backend.endpoint)
            try await withServer(slow) { slow in
                let front = Unbound.unbound(
                    wildcards: [],
                    stubs: ["example.com.": slow.endpoint]
                )
                try await withServer(front) { server in
                    let resolver = "tcp://\(server.endpoint)"
                    let row = try await observed(resolver, authority.root, upTo: "1s")
                    #expect(row["answer_order"] as? String == "out_of_order", "\(row)")
                }
            }
        }
    }
}

#if QUIC
extension IdleServerTests {
    @Test(arguments: QUICResponder.Application.allCases)
    func `aioquic's stated idle timeout is confirmed`(
        application: QUICResponder.Application
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let responder = QUICResponder(application, .rest, certificate, log: folder.file("log"))
        try await withServer(responder) { server in
            let scheme = application == .doq ? "quic" : "h3"
            let resolver = "\(scheme)://127.0.0.1:\(server.port)#dot.test"
            let row = try await observed(resolver, authority.root)
            try expect(row, 3, ["idle", "CONNECTION_CLOSE"])
            #expect(row["stated_timeout_s"] as? Double == 3)
            #expect(row["early_data"] as? Bool == true)
            let log = folder.text("log").split(separator: "\n")
            let connections = log.count { $0.hasPrefix("connection ") }
            #expect(row["connections"] as? Int == connections)
            #expect(row["queries"] as? Int == log.count { $0.hasPrefix("query ") })
        }
    }

    @Test func `a server over QUIC that forgets connections early is found by bisection`()
        async throws
    {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let responder = QUICResponder(.doq, .drop, certificate, log: folder.file("log"))
        try await withServer(responder) { server in
            let row = try await observed("quic://127.0.0.1:\(server.port)#dot.test", authority.root)
            try expect(row, 2, ["silence"], isExact: false)
            #expect(row["stated_timeout_s"] as? Double == 60)
        }
    }
}
#endif
