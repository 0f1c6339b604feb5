/// Why a message cannot be believed, as a clause after `the response`.
struct Malformation: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
