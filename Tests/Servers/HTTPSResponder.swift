/// A DNS over HTTPS server that misbehaves as told; every answer is 192.0.2.1.
package struct HTTPSResponder: ServerProgram {
    package static let command = Program.testPython

    package enum Mode: String, Sendable, CaseIterable {
        case plain
        /// One byte per segment.
        case trickle
        /// A reset of the connection in the middle of the answer.
        case reset
        /// Closes instead of answering.
        case close
        /// Answers the second of two queries first.
        case swap
        /// As `swap` after the first query, and allows two streams at once.
        case limit
        /// Answers as large as messages can be, nearly.
        case large
        /// Answers once a ping has been acknowledged.
        case ping
        /// Takes no query, and says so of its stream.
        case refuse
        /// Takes no query, and says so of the connection.
        case goaway
        /// Takes one query on each connection.
        case farewell
        /// Never answers.
        case silent
        /// What follows the query is not HTTP/2.
        case garbage
        /// Speaks HTTP/1.1 alone; or that without saying so.
        case old, unnamed
        /// The same with the answer in chunks of a few bytes, or one that ends with the connection.
        case chunked, unended
        /// The same, and closes the connection behind each answer; or sends two for one.
        case leaving, double
        case notFound = "404"
        case broken = "500"
        /// From the second query on, gives the first one's answer before it lets the query come, and
        /// ends that answer once it has.
        case hasty
        /// An answer that is called a page.
        case type
        /// More than a message can hold.
        case oversized
        /// As many interim answers as are allowed, before the answer.
        case ample
        /// A header of more fields, or of more bytes, or more interim answers, than are allowed.
        case fields, header, interim
        /// A header that refers to a large field over and over.
        case references
        /// A header that never ends.
        case endless = "continue"
        /// Pings without end, whose answers are never read.
        case deaf
        /// Frames of an unknown type instead of an answer, for ten seconds at most.
        case unknown
    }

    let certificate: Certificate
    let mode: Mode
    /// Gets a line for each connection, for each query and for what the client gives up.
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
