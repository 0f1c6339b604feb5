import CCurl
import CLibraries
package import Failures
import LibC

/// A connection for requests with a body. Each request may take up to ``patience``.
@safe package final class HTTPConnection {
    /// The answer to a request.
    package struct Answer: Hashable, Sendable {
        /// The HTTP status; 0 if there was no answer.
        package var status: Int
        /// The beginning of the body, or the reason why there was no answer.
        package var body: [UInt8]
        /// Whether a part of the body was sent.
        package var wasSent: Bool

        /// The body as text.
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private static let patience = Duration.seconds(10)

    private let connection: OpaquePointer
    private let deadline: ContinuousClock.Instant?
    private let stop: Int32

    /// Connects only to `address`, an address of the URL's host; an IPv6 address is in brackets. It does not
    /// follow proxies and redirects. `fields` are lines of the header. `token` is the bearer token that the
    /// receiver expects. All requests end at `deadline`, and when the descriptor `stop` becomes readable or is
    /// hung up. The descriptor -1 means none.
    package init(
        _ url: String,
        at address: String,
        fields: [String],
        token: String? = nil,
        deadline: ContinuousClock.Instant? = nil,
        stop: Int32 = -1
    ) throws(Failure) {
        (self.deadline, self.stop) = (deadline, stop)
        let authorization = token.map { ["Authorization: Bearer \($0)"] } ?? []
        // The last field sends the body at once, without asking the receiver first (`100-continue`).
        let all = fields + authorization + ["Expect:"]
        let lines = unsafe all.map { unsafe strdup($0) } + [nil]
        defer { unsafe lines.forEach { unsafe free($0) } }
        let connection = unsafe ccurl_open(
            url,
            address,
            lines.map { unsafe UnsafePointer($0) }
        )
        guard let connection = unsafe connection else {
            throw Failure(.busy, "out of memory for a connection")
        }
        unsafe self.connection = unsafe connection
    }

    deinit { unsafe ccurl_close(connection) }

    /// Throws if libcurl is not installed. `user` is what needs it, such as `a remote write`.
    package static func checkLibrary(for user: String) throws(Failure) {
        guard clibraries_load(clibraries_curl) == 0 else { return }
        let package = unsafe String(cString: clibraries_package(clibraries_curl))
        throw Failure(
            .unavailable,
            "\(user) needs libcurl, which is not installed: install \(package)"
        )
    }

    package func post(_ body: [UInt8]) -> Answer {
        var answer = ccurl_answer()
        let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.patience
        // libcurl treats 0 as no limit.
        let patience = max(1, Int(min(Self.patience, rest) / .milliseconds(1)))
        unsafe ccurl_post(connection, body, body.count, patience, stop, &answer)
        let body = unsafe withUnsafeBytes(of: answer.body) {
            unsafe Array($0.prefix(answer.length))
        }
        let reason = unsafe withUnsafeBytes(of: answer.reason) { bytes in
            unsafe Array(bytes.prefix { $0 != 0 })
        }
        let status = answer.status
        return Answer(
            status: status,
            body: status > 0 ? body : reason,
            wasSent: answer.was_sent != 0
        )
    }
}
