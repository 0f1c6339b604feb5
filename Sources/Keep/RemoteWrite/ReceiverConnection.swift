import CLibraries
import CSnappy
package import Catalogue
package import Failures
import HTTP
import Protobuf

/// A connection to a receiver (Prometheus, Remote-Write 1.0).
package struct ReceiverConnection {
    private let connection: HTTPConnection
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
        connection = try HTTPConnection(
            receiver.url,
            at: address.bracketed,
            fields: [
                "Content-Encoding: snappy", "Content-Type: application/x-protobuf",
                "X-Prometheus-Remote-Write-Version: 0.1.0", "User-Agent: dnstempo/\(version)",
            ],
            token: token,
            deadline: deadline,
            stop: stop
        )
    }

    /// Throws if a library for remote writes is not installed.
    package static func checkLibraries() throws(Failure) {
        try HTTPConnection.checkLibrary(for: "a remote write")
        guard clibraries_load(clibraries_snappy) == 0 else { return }
        let package = unsafe String(cString: clibraries_package(clibraries_snappy))
        throw Failure(
            .unavailable,
            "a remote write needs libsnappy, which is not installed: install \(package)"
        )
    }

    func post(_ request: WriteRequest) throws(Failure) -> HTTPConnection.Answer {
        connection.post(try Self.compressed(request))
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
