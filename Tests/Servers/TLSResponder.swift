/// A DNS over TLS server with the fault of its mode. Every answer is 192.0.2.1.
package struct TLSResponder: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        case plain
        /// Sends one byte per segment.
        case trickle
        /// Resets the connection in the middle of the answer.
        case reset
        /// Closes the connection instead of answering.
        case close
        /// Accepts one query per connection.
        case once
        /// Answers after two seconds.
        case late
        /// Answers the second of two queries first.
        case swap
        /// Answers in order, and takes 30 ms for names with a random label.
        case queue
        /// Forgets a connection two seconds after each answer, without closing it.
        case drop
        /// Sends zeros instead of an answer, for at most ten seconds.
        case zeros
        /// Sends answers to other queries, for at most ten seconds.
        case strays
        /// Behaves like `strays`, with records of one byte.
        case crumbs
        /// Does not answer connections with segments of more than 1,360 bytes.
        case narrow
    }

    let certificate: Certificate
    let mode: Mode
    /// The path of the log file. Each connection and query adds a line, and also each connection that the
    /// server closes.
    let log: String

    package init(_ mode: Mode, _ certificate: Certificate, log: String) {
        self.mode = mode
        self.certificate = certificate
        self.log = log
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.tls_responder_py, to: "tls-responder.py")
        try Self.writeStream(to: folder)
        return [script, "\(ports[0])", certificate.file, certificate.key, mode.rawValue, log]
    }

    /// Writes the Python module that the scripted servers over TLS share.
    static func writeStream(to folder: TemporaryFolder) throws {
        try folder.write(PackageResources.tls_stream_py, to: "tls_stream.py")
    }
}
