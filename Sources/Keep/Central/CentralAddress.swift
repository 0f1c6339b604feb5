import CLibraries
import CPostgreSQL
import Catalogue
import Failures
import LibC
import Samples

/// The address of a central store, as a URL of libpq (PostgreSQL, §34.1.1.2).
///
/// The server's certificate and its name are verified, unless the URL says otherwise. The default of libpq
/// verifies nothing. A URL with a password is rejected, because every user of the machine can read command
/// lines. A password belongs in ~/.pgpass or, if the URL names a host, in a service file.
package struct CentralAddress: Hashable, Sendable {
    /// The libpq options of the URL, by keyword.
    private(set) var options: [String: String]
    /// The host as the URL names it; empty for the server on this machine's socket.
    package let host: String
    private let text: String
    /// The place for messages. It contains no password.
    package let place: String

    package static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    package init(parsing text: String) throws(CentralError) {
        self.text = text
        options = try Self.options(of: text)
        // libpq would try the hosts of a list one after another, wherever they are.
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

    /// The option or environment variable in which libpq would find a host if the URL names no host
    /// (PostgreSQL, §34.15).
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
            // libpq treats an empty value as absent.
            if let value = unsafe next.pointee.val, unsafe value.pointee != 0 {
                unsafe options[String(cString: keyword)] = String(cString: value)
            }
            unsafe next += 1
        }
        return options
    }

    /// The host whose address is looked up, or the address itself.
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

    /// The URL of the same place for another role.
    package func url(as role: String) -> String {
        let rest = text.drop { $0 != ":" }.dropFirst(3)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let host = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return "postgresql://\(role)@\(host)\(rest[end...])"
    }

    /// The options for a connection to `address`, or to this machine's socket if `address` is `nil`.
    func options(to address: IPAddress?) -> [String: String] {
        var all = options
        all["hostaddr"] = address?.description
        all["connect_timeout"] = all["connect_timeout"] ?? "10"
        all["application_name"] = all["application_name"] ?? "dnstempo"
        all["client_encoding"] = "UTF8"
        // Detects within 10 s that the host is unreachable, also during a statement.
        let tcp = [
            ("tcp_user_timeout", "10000"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
        ]
        for (option, value) in tcp { all[option] = all[option] ?? value }
        guard !isLocal else { return all }
        all["sslmode"] = all["sslmode"] ?? "verify-full"
        // The system's root certificates, if the user has none.
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

    /// The first line of a server's message, cut to the length for an error.
    var shortLine: String { firstLine.cut(toCharacters: 300) }
}
