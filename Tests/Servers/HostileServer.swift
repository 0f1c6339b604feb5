/// A malicious central store or receiver of remote writes.
package struct HostileServer: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        // A central store that sends one byte at a time with pauses, or nothing.
        case silent
        case dripsGreeting = "drips-greeting"
        case dripsRow = "drips-row"
        case dripsNotices = "drips-notices"
        // A central store that sends without end.
        case floodsGreeting = "floods-greeting"
        case floodsRows = "floods-rows"
        case floodsNulls = "floods-nulls"
        case floodsParameters = "floods-parameters"
        case floodsNotifications = "floods-notifications"
        // A central store that sends unrequested answers.
        case copiesIn = "copies-in"
        case copiesOut = "copies-out"
        case copiesBoth = "copies-both"
        case empties
        // A central store whose messages contain escape sequences.
        case errs
        case notices
        // A receiver of remote writes.
        case takesSilently = "takes-silently"
        case dripsHead = "drips-head"
        case dripsBody = "drips-body"
        case floodsHead = "floods-head"
        case floodsBody = "floods-body"

        package var isReceiver: Bool {
            switch self {
            case .takesSilently, .dripsHead, .dripsBody, .floodsHead, .floodsBody: true
            default: false
            }
        }
    }

    package let sign = ReadinessSign.accepts
    let mode: Mode
    /// The path of the log file, which gets a line at the start of each attack.
    let log: String

    package init(_ mode: Mode, log: String) { (self.mode, self.log) = (mode, log) }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        return [
            try folder.write(PackageResources.hostile_server_py, to: "server.py"), "\(ports[0])",
            log, mode.rawValue,
        ]
    }
}

extension RunningServer {
    /// Returns the URL of a malicious server.
    package func url(_ mode: HostileServer.Mode) -> String {
        mode.isReceiver ? "http://127.0.0.1:\(port)/api/v1/write" : url("dnstempo_1")
    }
}
