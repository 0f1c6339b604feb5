import CLibraries
import CPostgreSQL
import Catalogue
import Failures
import LibC
import Samples

/// Where a central store is, as a URL of libpq tells it (PostgreSQL, §34.1.1.2).
///
/// A server's certificate is verified, with its name, unless the URL says otherwise: libpq by itself
/// verifies nothing. A password has its place in ~/.pgpass or, beside a host in the URL, in a service
/// file, since everybody on the machine can read command lines.
package struct CentralAddress: Hashable, Sendable {
    /// Options of libpq by their keywords, but for the address.
    private(set) var options: [String: String]
    /// The host as it was named; empty for the server on this machine's socket.
    package let host: String
    private let text: String
    /// For messages: without a password, since there is none in it.
    package let place: String

    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    package init(parsing text: String) throws(CentralError) {
        self.text = text
        options = try Self.options(of: text)
        // A list of hosts would be asked one by one, wherever they are.
        host = options["host"] ?? options["hostaddr"] ?? ""
        guard !host.contains(","), !(options["hostaddr"] ?? "").contains(",") else {
            throw CentralError(.usage, "'\(text)' names several hosts: name one")
        }
        guard options["password"] == nil else {
            throw CentralError(
                .usage,
                "the URL of the central store has a password, which everybody here can read: put it "
                    + "into ~/.pgpass, and leave it out of the URL"
            )
        }
        let port = options["port"].map { ":\($0)" } ?? ""
        let name = options["dbname"].map { "/\($0)" } ?? ""
        place =
            host.isEmpty || host.hasPrefix("/") ? "this machine\(name)" : "\(host)\(port)\(name)"
        if isLocal, let other = otherHost {
            throw CentralError(
                .usage,
                "'\(text)' names no host, and \(other) may name one: write it into the URL"
            )
        }
    }

    /// Whether the server is reached without a network.
    package var isLocal: Bool { host.isEmpty || Self.isSocket(host) }

    private static func isSocket(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@")
    }

    /// The option or variable in which libpq would find a host, where the URL names none (PostgreSQL,
    /// §34.15).
    private var otherHost: String? {
        if let option = ["hostaddr", "service"].first(where: { options[$0] != nil }) {
            return option
        }
        return ["PGHOSTADDR", "PGSERVICE", "PGHOST"].first { name in
            let value = unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
            guard name == "PGHOST" else { return !value.isEmpty }
            return host.isEmpty && !value.isEmpty
                && (!Self.isSocket(value) || value.contains(","))
        }
    }

    private static func options(of text: String) throws(CentralError) -> [String: String] {
        guard clibraries_load(clibraries_pq) != 0 else {
            let package = unsafe String(cString: clibraries_package(clibraries_pq))
            throw CentralError(
                .unavailable,
                "a central store needs libpq, which is not installed: install \(package)"
            )
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = unsafe PQconninfoParse(text, &message) else {
            let reason = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
            unsafe PQfreemem(message)
            throw CentralError(
                .usage,
                "'\(text)' is no URL of a central store (\(reason.firstLine)): write "
                    + "postgresql://user@host/database"
            )
        }
        defer { unsafe PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var next = unsafe parsed
        while let keyword = unsafe next.pointee.keyword {
            // An empty value is none, as it is for a connection.
            if let value = unsafe next.pointee.val, unsafe value.pointee != 0 {
                unsafe options[String(cString: keyword)] = String(cString: value)
            }
            unsafe next += 1
        }
        return options
    }

    /// The host whose address is wanted, or that address itself.
    package var lookedUp: String { options["hostaddr"] ?? host }

    /// The line of ~/.pgpass for a role (PostgreSQL, §34.16).
    package func passwordLine(_ role: String, _ password: String) -> String {
        let fields = [
            isLocal ? "localhost" : host, options["port"] ?? "5432", options["dbname"] ?? "*",
        ]
        let escaped = fields.map {
            $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        }
        return (escaped + [role, password]).joined(separator: ":")
    }

    /// The same place as another role.
    package func url(as role: String) -> String {
        let rest = text.drop { $0 != ":" }.dropFirst(3)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let host = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return "postgresql://\(role)@\(host)\(rest[end...])"
    }

    /// Options for a connection to `address`, `nil` on this machine's socket.
    func options(to address: IPAddress?) -> [String: String] {
        var all = options
        all["hostaddr"] = address?.description
        all["connect_timeout"] = all["connect_timeout"] ?? "10"
        all["application_name"] = all["application_name"] ?? "dnstempo"
        all["client_encoding"] = "UTF8"
        // A host that is gone is found within 10 s, whatever it was asked to do meanwhile.
        let tcp = [
            ("tcp_user_timeout", "10000"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
        ]
        for (option, value) in tcp { all[option] = all[option] ?? value }
        guard !isLocal else { return all }
        all["sslmode"] = all["sslmode"] ?? "verify-full"
        // The system's, where the user has none of their own.
        if all["sslrootcert"] == nil, let bundle = Self.rootCertificates {
            all["sslrootcert"] = bundle
        }
        return all
    }

    private static var rootCertificates: String? {
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
        guard !isReadable(home + "/.postgresql/root.crt") else { return nil }
        return ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"].first(where: isReadable)
    }

    private static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}

extension String {
    var firstLine: String { split(whereSeparator: \.isNewline).first.map(String.init) ?? self }

    /// The first line of what a server says, as far as an error has room for it.
    var shortLine: String { firstLine.cut(toCharacters: 300) }
}
