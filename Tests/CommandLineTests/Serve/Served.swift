import Foundation
import Servers

/// A running `dnstempo serve`.
struct Served: Sendable {
    let process: ChildProcess
    let folder: TemporaryFolder
    /// The line that the dashboard prints at its start.
    let line: String
    let address: SocketAddress
    let store: String

    func ask(
        _ path: String = "/",
        method: String = "GET",
        host: String? = nil,
        fields: [String] = [],
        body: String = ""
    ) async throws -> RawReply {
        try await RawHTTP.ask(
            address,
            path,
            method: method,
            host: host,
            fields: fields,
            body: body
        )
    }

    /// Returns the members of the JSON object at `path`.
    func json(_ path: String) async throws -> [String: Any] {
        let reply = try await ask(path)
        let value = try JSONSerialization.jsonObject(with: Data(reply.body.utf8))
        guard let members = value as? [String: Any] else {
            throw ServerError("\(path) is no object: \(reply.text.prefix(300))")
        }
        return members
    }

    var errors: String { folder.text("errors") }
}

extension Binary {
    /// Runs `body` while `dnstempo serve` runs on a free port. It serves the store `other`, or a new store.
    /// The imported `samples` are added to the store. Pages show rounds with the origin `origin`.
    static func withServe<Result>(
        _ arguments: [String] = [],
        samples: String? = nil,
        of other: String? = nil,
        origin: String? = "all",
        _ body: (Served) async throws -> Result
    ) async throws -> Result {
        let folder = TemporaryFolder()
        let store = other ?? folder.file("s.sqlite")
        if let samples {
            let file = folder.file("samples.csv")
            try Data(samples.utf8).write(to: URL(fileURLWithPath: file))
            let run = try await Binary.run(["store", "import", file, "--store", store])
            guard run.code == 0 else { throw ServerError("import: \(run.errors)") }
        }
        let shown = origin.map { ["--origin", $0] } ?? []
        let wanted = ["serve", "--store", store, "--port", "0"] + shown + arguments
        return try await Binary.withRunning(wanted) { process, home in
            let line = try await Self.firstLine(of: process, in: home)
            return try await body(
                Served(
                    process: process,
                    folder: home,
                    line: line,
                    address: try Self.address(in: line),
                    store: store
                )
            )
        }
    }

    private static func firstLine(
        of process: ChildProcess,
        in home: TemporaryFolder
    ) async throws -> String {
        let line = try await eventualValue(while: process) {
            let text = home.text("output")
            return text.firstIndex(of: "\n").map { String(text[..<$0]) }
        }
        guard let line else { throw ServerError("serve does not: \(home.text("errors"))") }
        return line
    }

    /// Returns the address in a line such as `dnstempo: serving http://127.0.0.1:8053/?token=…`.
    private static func address(in line: String) throws -> SocketAddress {
        guard let url = line.split(separator: " ").last.flatMap({ URL(string: String($0)) }),
            let host = url.host(), let port = url.port.flatMap({ UInt16(exactly: $0) })
        else { throw ServerError("no address in '\(line)'") }
        return SocketAddress(host.filter { !"[]".contains($0) }, port: port)
    }
}
