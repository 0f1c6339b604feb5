import Foundation

/// tcpdump on the loopback interface, the judge of what was sent when.
package struct PacketCapture: Sendable {
    /// Capturing takes the rights of root.
    package static var isPermitted: Bool { geteuid() == 0 }

    #if os(Linux)
    private static let interface = "lo"
    #else
    private static let interface = "lo0"
    #endif

    private let process: ChildProcess
    private let folder: TemporaryFolder
    private let markerPort: UInt16

    /// Starts capturing the UDP and TCP packets from or to `ports`.
    fileprivate init(ports: [UInt16], in folder: TemporaryFolder) throws {
        self.folder = folder
        markerPort = try Loopback.freePort()
        let filter = ([markerPort] + ports).map { "port \($0)" }.joined(separator: " or ")
        process = try ChildProcess(
            Program("tcpdump", package: "tcpdump"),
            [
                "-i", PacketCapture.interface, "-w", folder.file("lo.pcap"), "-n", "-U",
                "--immediate-mode", "--time-stamp-precision=nano", "-B", "8192",
                // The buffer holds as many packets as this length allows: 4,096.
                "-s", "2048",
            ] + (geteuid() == 0 ? ["-Z", "root"] : []) + [filter],
            output: folder.file("log"),
            errors: folder.file("log")
        )
    }

    /// Waits until it captures.
    fileprivate func start() async throws {
        let captures = try await eventually(while: process) {
            folder.text("log").contains("listening on")
        }
        guard captures else {
            throw ServerError("tcpdump does not capture:\n\(folder.text("log"))")
        }
    }

    /// The packets up to now, in the order of capture, each cut at 2,048 bytes.
    package func packets() async throws -> [CapturedPacket] {
        // A packet of our own ends the wait: once it is in the file, all earlier ones are.
        let socket = try LoopbackSocket(.udp, family: AF_INET)
        let marker = Array(UUID().uuidString.utf8)
        try socket.send(marker, to: SocketAddress("127.0.0.1", port: markerPort))
        let packets = try await eventualValue(while: process) {
            let packets = try PcapFile(folder.read("lo.pcap")).packets
            return packets.contains { $0.payload == marker } ? packets : nil
        }
        guard let packets else {
            throw ServerError("tcpdump stopped capturing:\n\(folder.text("log"))")
        }
        return packets.filter { $0.destination.port != markerPort }
    }

    fileprivate func stop() async { await process.stop() }
}

/// Runs `body` while the packets from and to `ports` are captured.
package func withPacketCapture<Result>(
    ports: [UInt16],
    _ body: (PacketCapture) async throws -> Result
) async throws -> Result {
    let folder = TemporaryFolder()
    let capture = try PacketCapture(ports: ports, in: folder)
    do {
        try await capture.start()
        let result = try await body(capture)
        await capture.stop()
        return result
    } catch {
        await capture.stop()
        throw error
    }
}
