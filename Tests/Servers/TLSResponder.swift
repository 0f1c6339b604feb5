/// A DNS over TLS server that misbehaves as told; every answer is 192.0.2.1.
package struct TLSResponder: ServerProgram {
    package enum Mode: String, Sendable, CaseIterable {
        case plain
        /// One byte per segment.
        case trickle
        /// A reset in the middle of the answer.
        case reset
        /// Closes instead of answering.
        case close
        /// A connection for each query.
        case once
        /// Answers after two seconds.
        case late
        /// Answers the second of two queries first.
        case swap
        /// Zeros instead of an answer, for ten seconds at most.
        case zeros
        /// Answers to other queries, for ten seconds at most.
        case strays
        /// The same in records of one byte.
        case crumbs
    }

    let certificate: Certificate
    let mode: Mode
    /// Gets a line for each connection, for each query, and for each connection that it closes.
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

    /// Writes what the scripted servers over TLS share.
    static func writeStream(to folder: TemporaryFolder) throws {
        try folder.write(PackageResources.tls_stream_py, to: "tls_stream.py")
    }
}
