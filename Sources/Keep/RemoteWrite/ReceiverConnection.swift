import CLibraries
import CRemoteWrite
import CSnappy
package import Catalogue
package import Failures
import LibC
import Protobuf

/// A connection to a receiver (Prometheus, Remote-Write 1.0). Each request may take ``patience``.
@safe package final class ReceiverConnection {
    private static let patience = Duration.seconds(10)

    private let connection: OpaquePointer
    private let deadline: ContinuousClock.Instant?
    private let stop: Int32
    let place: String

    /// Connects to `address`, which is that of the host, and to no other: neither proxies nor
    /// redirects are followed. `version` is that of this program, `token` what the receiver knows
    /// it by. All requests end at `deadline`, and when the descriptor `stop` becomes readable or is hung
    /// up; -1 is none.
    package init(
        _ receiver: ReceiverAddress,
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
            // Not asked for first whether the body is wanted.
            "Expect:",
        ]
        if let token { fields.append("Authorization: Bearer \(token)") }
        let lines = unsafe fields.map { unsafe strdup($0) } + [nil]
        defer { unsafe lines.forEach { unsafe free($0) } }
        let host = address.family == .v6 ? "[\(address)]" : "\(address)"
        let connection = unsafe cremotewrite_open(
            receiver.url,
            host,
            lines.map { unsafe UnsafePointer($0) }
        )
        guard let connection = unsafe connection else {
            throw Failure(.busy, "out of memory for a connection to \(place)")
        }
        unsafe self.connection = unsafe connection
    }

    deinit { unsafe cremotewrite_close(connection) }

    /// Throws where a library is missing that every remote write needs.
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

    /// Answer of a receiver.
    struct Answer: Hashable {
        /// The status of HTTP; 0 where there was none.
        var status: Int
        /// The beginning of the body, or why there was no answer.
        var text: String
    }

    func post(_ request: WriteRequest) throws(Failure) -> Answer {
        let body = try Self.compressed(request)
        var answer = cremotewrite_answer()
        let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.patience
        // Nothing is no limit to libcurl.
        let patience = max(1, Int(min(Self.patience, rest) / .milliseconds(1)))
        unsafe cremotewrite_post(connection, body, body.count, patience, stop, &answer)
        let text = unsafe withUnsafeBytes(of: answer.body) { octets in
            unsafe String(decoding: octets.prefix(answer.length), as: UTF8.self)
        }
        let reason = unsafe withUnsafeBytes(of: answer.reason) { octets in
            unsafe String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
        }
        let status = answer.status
        return Answer(status: status, text: status > 0 ? text : reason)
    }

    /// The message in a block of snappy.
    private static func compressed(
        _ request: WriteRequest
    ) throws(Failure) -> [UInt8] {
        let message = request.encoded.octets
        var length = snappy_max_compressed_length(message.count)
        var block = [UInt8](repeating: 0, count: length)
        let status = unsafe snappy_compress(message, message.count, &block, &length)
        guard status == SNAPPY_OK else {
            throw Failure(.busy, "libsnappy could not compress a remote write")
        }
        return Array(block.prefix(length))
    }
}
