/// A DNS over HTTPS server with the fault of its mode. Every answer is 192.0.2.1.
package struct HTTPSResponder: ServerProgram {
    package static let command = Program.testPython

    package enum Mode: String, Sendable, CaseIterable {
        case plain
        /// Sends one byte per segment.
        case trickle
        /// Resets the connection in the middle of the answer.
        case reset
        /// Closes the connection instead of answering.
        case close
        /// Answers the second of two queries first.
        case swap
        /// Behaves like `swap` after the first query, and allows two concurrent streams.
        case limit
        /// Sends answers of nearly the maximum size of a message.
        case large
        /// Sends a ping, and answers after its acknowledgement.
        case ping
        /// Rejects the query by a reset of its stream (REFUSED_STREAM).
        case refuse
        /// Rejects the query by a GOAWAY that excludes its stream.
        case goaway
        /// Accepts one query per connection.
        case farewell
        /// Never answers.
        case silent
        /// Sends bytes that are not HTTP/2 after the query.
        case garbage
        /// Supports HTTP/1.1 only. `unnamed` negotiates no protocol (ALPN).
        case old, unnamed
        /// Supports HTTP/1.1 only. `chunked` sends the answer in chunks of 7 bytes. `unended` sends an answer
        /// that ends with the connection.
        case chunked, unended
        /// Supports HTTP/1.1 only. `leaving` closes the connection after each answer. `double` sends each
        /// answer twice.
        case leaving, double
        case notFound = "404"
        case broken = "500"
        /// From the second query on, sends the first answer while flow control still blocks the query. Ends
        /// this answer after the query has arrived.
        case hasty
        /// Sends the answer with the content type `text/html`.
        case type
        /// Sends more bytes than a message can contain.
        case oversized
        /// Sends the maximum number of interim answers before the answer.
        case ample
        /// Sends more header fields, more header bytes, or more interim answers than are allowed.
        case fields, header, interim
        /// Sends headers that refer to one large field again and again.
        case references
        /// Sends a header that never ends.
        case endless = "continue"
        /// Sends pings without end, and reads none of the answers.
        case deaf
        /// Sends frames of an unknown type instead of an answer, for at most ten seconds.
        case unknown
    }

    let certificate: Certificate
    let mode: Mode
    /// The path of the log file. Each connection and query adds a line, and also each stream or connection
    /// that the client ends early.
    let log: String

    package init(_ mode: Mode, _ certificate: Certificate, log: String) {
        self.mode = mode
        self.certificate = certificate
        self.log = log
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let script = try folder.write(PackageResources.https_responder_py, to: "https-responder.py")
        try TLSResponder.writeStream(to: folder)
        return [script, "\(ports[0])", certificate.file, certificate.key, mode.rawValue, log]
    }
}
