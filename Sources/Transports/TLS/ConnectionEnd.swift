/// Why a connection ended, as each query on it is told.
struct ConnectionEnd: Error {
    var result: Exchange.Result

    init(_ result: Exchange.Result) { self.result = result }

    init(_ error: TLSError) {
        result = error.isDistrust ? .untrusted(error.reason) : .unreachable(error.reason)
    }

    static func of<Value>(_ body: () throws(TLSError) -> Value) throws(ConnectionEnd) -> Value {
        do throws(TLSError) {
            return try body()
        } catch {
            throw ConnectionEnd(error)
        }
    }
}
