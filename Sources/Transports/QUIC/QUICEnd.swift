#if QUIC
import CNGTCP2

/// Why a QUIC connection is over.
struct QUICEnd: Error {
    enum Cause {
        /// At this end, with ngtcp2's error.
        case failure(Int32)
        /// At this end, with a code of the application's.
        case application(UInt64)
        /// The other end speaks other versions.
        case versions
        /// The other end knows already, or cannot be told.
        case silent
    }

    var cause: Cause
    /// The result of the queries on the connection.
    var result: Exchange.Result

    init(_ code: UInt64, _ result: Exchange.Result) {
        cause = .application(code)
        self.result = result
    }

    init(_ error: SystemError) {
        cause = .silent
        result = error.result
    }

    static func of<Value>(_ body: () throws(SystemError) -> Value) throws(QUICEnd) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw QUICEnd(error)
        }
    }

    /// The other end is told that its certificate is no good (RFC 9001 §4.8), by ngtcp2's error
    /// for that.
    static func of<Value>(_ body: () throws(TLSError) -> Value) throws(QUICEnd) -> Value {
        do throws(TLSError) {
            return try body()
        } catch {
            var end = QUICEnd(0, ConnectionEnd(error).result)
            end.cause = .failure(cq_tls_error)
            throw end
        }
    }

    init(_ end: cq_end, error: Int32, of session: QUICSession) {
        switch unsafe end.kind {
        case CQ_END_IDLE:
            cause = .silent
            result = .unreachable("connection idle for too long")
        case CQ_END_TLS:
            cause = .failure(error)
            result = unsafe ConnectionEnd(session.failure(alert: end.code)).result
        case CQ_END_VERSIONS:
            cause = .versions
            result = .unreachable("the server speaks no version of QUIC that is known here")
        case CQ_END_RESET:
            cause = .silent
            result = .unreachable("connection reset: the server knows nothing of it")
        case CQ_END_CLOSED:
            cause = .silent
            result = unsafe .unreachable(
                "connection closed by the server: \(Self.name(of: end.code))\(end.words)"
            )
        case CQ_END_CLOSED_BY_APPLICATION:
            cause = .silent
            result = unsafe .unreachable(
                "connection closed by the server: error \(end.code)\(end.words)"
            )
        default:
            cause = .failure(error)
            let text = unsafe cq_error_text(error).map { unsafe String(cString: $0) }
            result = .unreachable("QUIC: \(text ?? "error \(error)")")
        }
    }

    /// The name of an error (RFC 9000 §20.1), or the TLS alert that it stands for (RFC 9001 §4.8).
    private static func name(of code: UInt64) -> String {
        let names = [
            "no error", "internal error", "connection refused", "flow control error",
            "stream limit error", "stream state error", "final size error",
            "frame encoding error", "transport parameter error", "connection ID limit error",
            "protocol violation", "invalid token", "application error",
            "crypto buffer exceeded", "key update error", "AEAD limit reached",
            "no viable path",
        ]
        if code < names.count { return names[Int(code)] }
        if code >= 0x100, let alert = QUICSession.name(ofAlert: code - 0x100) {
            return "TLS alert\(alert)"
        }
        return "error \(code)"
    }
}

extension cq_end {
    /// The other end's own words as far as they can be shown, in brackets.
    fileprivate var words: String {
        let octets = unsafe UnsafeBufferPointer(start: reason.start, count: reason.count)
        let shown = unsafe octets.prefix(80).filter { (0x20...0x7e).contains($0) }
        return shown.isEmpty ? "" : " (\(String(decoding: shown, as: UTF8.self)))"
    }
}
#endif
