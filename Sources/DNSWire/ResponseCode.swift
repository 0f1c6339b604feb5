/// A response code, extended by EDNS where the response carried it (RFC 6891 §6.1.3).
public struct ResponseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let noError = ResponseCode(rawValue: 0)
    public static let formErr = ResponseCode(rawValue: 1)
    public static let servFail = ResponseCode(rawValue: 2)
    public static let nxDomain = ResponseCode(rawValue: 3)
    public static let notImp = ResponseCode(rawValue: 4)
    public static let refused = ResponseCode(rawValue: 5)

    /// The mnemonic, or `RCODE123` where there is none.
    public var description: String {
        switch self {
        case .noError: "NOERROR"
        case .formErr: "FORMERR"
        case .servFail: "SERVFAIL"
        case .nxDomain: "NXDOMAIN"
        case .notImp: "NOTIMP"
        case .refused: "REFUSED"
        default: "RCODE\(rawValue)"
        }
    }
}
