/// A response code, extended by EDNS where the response carried it (RFC 6891 §6.1.3).
///
/// Source: the IANA registry "DNS RCODEs".
public struct ResponseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads a mnemonic or `RCODE123`, in any case; `nil` where it is unknown.
    public init?(mnemonic: String) {
        let text = mnemonic.uppercased()
        if let found = Self.mnemonics.first(where: { $0.value == text }) {
            self.init(rawValue: found.key)
        } else if text.hasPrefix("RCODE"), let value = UInt16(digits: text.dropFirst(5)),
            value <= 0xfff
        {
            self.init(rawValue: value)
        } else {
            return nil
        }
    }

    public static let noError = ResponseCode(rawValue: 0)
    public static let formErr = ResponseCode(rawValue: 1)
    public static let servFail = ResponseCode(rawValue: 2)
    public static let nxDomain = ResponseCode(rawValue: 3)
    public static let notImp = ResponseCode(rawValue: 4)
    public static let refused = ResponseCode(rawValue: 5)
    public static let badVersion = ResponseCode(rawValue: 16)

    /// The mnemonic, or `RCODE123` where there is none.
    public var description: String { Self.mnemonics[rawValue] ?? "RCODE\(rawValue)" }

    private static let mnemonics: [UInt16: String] = [
        0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED",
        6: "YXDOMAIN", 7: "YXRRSET", 8: "NXRRSET", 9: "NOTAUTH", 10: "NOTZONE", 11: "DSOTYPENI",
        16: "BADVERS", 17: "BADKEY", 18: "BADTIME", 19: "BADMODE", 20: "BADNAME", 21: "BADALG",
        22: "BADTRUNC", 23: "BADCOOKIE",
    ]
}

extension UInt16 {
    /// Reads decimal digits and nothing else: no sign, no space.
    init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(digits)
    }
}
