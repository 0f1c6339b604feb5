/// A web service that gets notices, and whose modes decide its answers.
package struct NoticeReceiver: ServerProgram {
    package enum Mode: String, Sendable {
        case takes = "204"
        case lacks = "404"
        case isBusy = "503"
        /// Closes the connection without an answer.
        case isSilent = "none"
    }

    package let sign = ReadinessSign.accepts
    /// The modes of successive requests. The last mode applies to all later requests.
    let modes: [Mode]
    /// The path of the log file, which gets a line of JSON for each request.
    let log: String

    package init(_ modes: [Mode], log: String) { (self.modes, self.log) = (modes, log) }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(
            PackageResources.notice_receiver_py,
            to: "notice-receiver.py"
        )
        return [script, "\(ports[0])", log, modes.map(\.rawValue).joined(separator: ",")]
    }
}
