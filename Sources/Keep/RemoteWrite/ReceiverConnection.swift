import CLibraries
import CSnappy
package import Catalogue
package import Failures
import HTTP
import Samples

/// A connection to a receiver of rounds.
package struct ReceiverConnection {
    private let connection: HTTPConnection
    private let version: String
    let form: RoundProtocol
    let place: String

    /// Connects only to `address`, which is the host's address. It does not follow proxies and redirects.
    /// `version` is this program's version. `token` is the bearer token that the receiver expects. All
    /// requests end at `deadline`, and when the descriptor `stop` becomes readable or is hung up. The
    /// descriptor -1 means none.
    package init(
        _ form: RoundProtocol,
        _ receiver: WebAddress,
        at address: IPAddress,
        version: String,
        token: String? = nil,
        deadline: ContinuousClock.Instant? = nil,
        stop: Int32 = -1
    ) throws(Failure) {
        try Self.checkLibraries(for: form)
        (self.form, self.version, place) = (form, version, receiver.place)
        connection = try HTTPConnection(
            receiver.url,
            at: address.bracketed,
            fields: form.fields + ["User-Agent: dnstempo/\(version)"],
            token: token,
            deadline: deadline,
            stop: stop
        )
    }

    /// Throws if a library for this protocol is not installed.
    package static func checkLibraries(for form: RoundProtocol) throws(Failure) {
        try HTTPConnection.checkLibrary(for: form.use)
        guard form == .remoteWrite, clibraries_load(clibraries_snappy) == 0 else { return }
        let package = unsafe String(cString: clibraries_package(clibraries_snappy))
        throw Failure(
            .unavailable,
            "\(form.use) needs libsnappy, which is not installed: install \(package)"
        )
    }

    /// Prepares the rounds of a recording, see ``RoundProtocol/encoder(of:version:)``.
    func encoder(
        of recording: Recording
    ) -> (ArraySlice<Int>) throws(Failure) -> [UInt8] {
        form.encoder(of: recording, version: version)
    }

    func post(_ body: [UInt8]) -> HTTPConnection.Answer { connection.post(body) }
}

extension [UInt8] {
    /// The bytes as a compressed block of snappy.
    func snappyBlock() throws(Failure) -> [UInt8] {
        var length = snappy_max_compressed_length(count)
        var block = [UInt8](repeating: 0, count: length)
        guard unsafe snappy_compress(self, count, &block, &length) == SNAPPY_OK else {
            throw Failure(.busy, "libsnappy could not compress a remote write")
        }
        return Array(block.prefix(length))
    }
}
