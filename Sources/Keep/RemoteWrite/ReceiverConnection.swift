import CCurl
import CLibraries
import CSnappy
package import Catalogue
package import Failures
import LibC
import Protobuf

/// A connection to a receiver (Prometheus, Remote-Write 1.0). Each request may take up to ``patience``.
@safe package final class ReceiverConnection {
    private static let patience = Duration.seconds(10)

    private let connection: OpaquePointer
    private let deadline: ContinuousClock.Instant?
    private let stop: Int32
    let place: String

    /// Connects only to `address`, which is the host's address. It does not follow proxies and redirects.
    /// `version` is this program's version. `token` is the bearer token that the receiver expects. All
    /// requests end at `deadline`, and when the descriptor `stop` becomes readable or is hung up. The
    /// descriptor -1 means none.
    package init(
        _ receiver: WebAddress,
        at address: IPAddress,
        version: String,
        token: String? = nil,
        deadline: ContinuousClock.Instant? = nil,
        stop: Int32 = -1
    ) throws(Failure) {
        try Self.checkLibraries()
        place = receiver.place
        (self.deadline, self.stop) = (deadline, stop)
        var fields = [
            "Content-Encoding: snappy", "Content-Type: application/x-protobuf",
            "X-Prometheus-Remote-Write-Version: 0.1.0", "User-Agent: dnstempo/\(version)",
            // Sends the body at once, without asking the receiver first (`100-continue`).
            "Expect:",
        ]
        if let token { fields.append("Authorization: Bearer \(token)") }
        let lines = unsafe fields.map { unsafe strdup($0) } + [nil]
        defer { unsafe lines.forEach { unsafe free($0) } }
        let connection = unsafe ccurl_open(
            receiver.url,
            address.bracketed,
            lines.map { unsafe UnsafePointer($0) }
        )
        guard let connection = unsafe connection else {
            throw Failure(.busy, "out of memory for a connection to \(place)")
        }
        unsafe self.connection = unsafe connection
    }

    deinit { unsafe ccurl_close(connection) }

    /// Throws if a library for remote writes is not installed.
    package static func checkLibraries() throws(Failure) {
        for (library, name) in [(clibraries_snappy, "libsnappy"), (clibraries_curl, "libcurl")]
        where clibraries_load(library) == 0 {
            let package = unsafe String(cString: clibraries_package(library))
            throw Failure(
                .unavailable,
                "a remote write needs \(name), which is not installed: install \(package)"
            )
        }
    }

    /// The answer of a receiver.
    struct Answer: Hashable {
        /// The HTTP status; 0 if there was no answer.
        var status: Int
        /// The beginning of the body, or the reason why there was no answer.
        var text: String
    }

    func post(_ request: WriteRequest) throws(Failure) -> Answer {
        let body = try Self.compressed(request)
        var answer = ccurl_answer()
        let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.patience
        // libcurl treats 0 as no limit.
        let patience = max(1, Int(min(Self.patience, rest) / .milliseconds(1)))
        unsafe ccurl_post(connection, body, body.count, patience, stop, &answer)
        let text = unsafe withUnsafeBytes(of: answer.body) { bytes in
            unsafe String(decoding: bytes.prefix(answer.length), as: UTF8.self)
        }
        let reason = unsafe withUnsafeBytes(of: answer.reason) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let status = answer.status
        return Answer(status: status, text: status > 0 ? text : reason)
    }

    /// Compresses the request's message as a snappy block.
    private static func compressed(
        _ request: WriteRequest
    ) throws(Failure) -> [UInt8] {
        let message = request.encoded.bytes
        var length = snappy_max_compressed_length(message.count)
        var block = [UInt8](repeating: 0, count: length)
        let status = unsafe snappy_compress(message, message.count, &block, &length)
        guard status == SNAPPY_OK else {
            throw Failure(.busy, "libsnappy could not compress a remote write")
        }
        return Array(block.prefix(length))
    }
}
