import Foundation

/// A capture by tcpdump on the loopback interface. It shows which packets were sent, and when.
package struct PacketCapture: Sendable {
    /// Whether this process can capture packets, which requires root.
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
                // With this length per packet, the buffer contains 4,096 packets.
                "-s", "2048",
            ] + (geteuid() == 0 ? ["-Z", "root"] : []) + [filter],
            output: folder.file("log"),
            errors: folder.file("log")
        )
    }

    /// Waits until tcpdump is capturing.
    fileprivate func start() async throws {
        let captures = try await eventually(while: process) {
            folder.text("log").contains("listening on")
        }
        guard captures else {
            throw ServerError("tcpdump does not capture:\n\(folder.text("log"))")
        }
    }

    /// Returns the packets so far, in the order of capture. Each packet is cut at 2,048 bytes.
    package func packets() async throws -> [CapturedPacket] {
        // A marker packet ends the wait. Once it is in the file, all earlier packets are in the file too.
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

/// Runs `body` while tcpdump captures the packets from and to `ports`.
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
