import Foundation

/// A server that is running and ready, with its addresses.
package struct RunningServer: Sendable {
    /// The addresses, one for each port, in the order of the program's ports.
    package let endpoints: [SocketAddress]
    package let process: ChildProcess

    /// The address with the first port.
    package let endpoint: SocketAddress

    /// The path of the file with the output of the server.
    let log: String

    package var port: UInt16 { endpoint.port }

    /// How the server is, and the end of its output: the evidence for the message of a failed test.
    package var evidence: String {
        let state = process.hasEnded ? "the server has ended" : "the server is running"
        let output = try? String(contentsOfFile: log, encoding: .utf8)
        return "\(state): \(output?.suffix(2_000) ?? "")"
    }
}

/// Starts `program` on free loopback ports, runs `body`, and stops the program even if `body` throws. `port`
/// is the first port if it is given.
package func withServer<Program: ServerProgram, Result>(
    _ program: Program,
    port: UInt16? = nil,
    _ body: (RunningServer) async throws -> Result
) async throws -> Result {
    let folder = TemporaryFolder()
    let ports = try (0..<max(1, program.portCount)).map { index in
        if index == 0, let port { port } else { try Loopback.freePort() }
    }
    let arguments = try program.prepare(in: folder, ports: ports)
    let log = folder.file("log")
    let process = try ChildProcess(
        Servers.Program(Program.command, package: Program.package),
        arguments,
        output: log,
        errors: log
    )
    let endpoints = ports.map { SocketAddress(program.address, port: $0) }
    do {
        for endpoint in endpoints {
            let isReady = try await Readiness.wait(
                for: endpoint,
                of: process,
                program.sign,
                overTCP: program.answersTCP
            )
            guard isReady else {
                let log = folder.text("log").suffix(2_000)
                throw ServerError("\(Program.command) does not answer on \(endpoint):\n\(log)")
            }
        }
        let server = RunningServer(
            endpoints: endpoints,
            process: process,
            endpoint: endpoints[0],
            log: log
        )
        let result = try await body(server)
        await process.stop()
        return result
    } catch {
        await process.stop()
        throw error
    }
}
