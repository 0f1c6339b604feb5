@testable import DNSWire
@testable import Integrity

extension Reply {
    /// Returns a response with these records.
    static func answer(
        _ addresses: [UInt8]...,
        code: ResponseCode = .noError,
        texts: [[String]] = [],
        validated: Bool = false,
        error: UInt16? = nil
    ) -> Reply {
        var response = Response(code: code)
        response.addresses = addresses
        response.texts = texts
        response.answerCount = addresses.count + texts.count
        response.authenticData = validated
        response.extendedErrors = error.map { [ExtendedError(infoCode: $0)] } ?? []
        return Reply(.response(response))
    }

    static let noSuchName = Reply.answer(code: .nxDomain)
    static let failure = Reply.answer(code: .servFail)
    static let silence = Reply(.timeout)
    static let blockPage = Reply.answer(Address.page, error: 15)
}

extension Evidence {
    /// Returns evidence with these replies. Its question has no effect on the tests.
    static func all(_ replies: [Reply]) -> [Evidence] {
        replies.map { Evidence(asked: "x.test A", reply: $0) }
    }

    static func one(_ reply: Reply) -> Evidence { Evidence(asked: "x.test A", reply: reply) }
}

/// Addresses in network byte order: documentation addresses (RFC 5737), a private address and the null
/// address.
enum Address {
    static let page: [UInt8] = [198, 51, 100, 80]
    static let other: [UInt8] = [198, 51, 100, 81]
    static let host: [UInt8] = [192, 0, 2, 1]
    static let secondHost: [UInt8] = [192, 0, 2, 2]
    static let home: [UInt8] = [192, 168, 1, 1]
    static let null: [UInt8] = [0, 0, 0, 0]
}
