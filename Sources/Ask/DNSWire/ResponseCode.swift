/// A response code, extended by EDNS if the response has EDNS (RFC 6891 §6.1.3).
///
/// Source: the IANA registry "DNS RCODEs".
package struct ResponseCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
{
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads a mnemonic or `RCODE123`, in any letter case; `nil` if it is unknown.
    package init?(mnemonic: String) {
        guard let number = Self.mnemonics.number(of: mnemonic), number <= Self.largest else {
            return nil
        }
        rawValue = number
    }

    package static let noError = ResponseCode(rawValue: 0)
    package static let formErr = ResponseCode(rawValue: 1)
    package static let servFail = ResponseCode(rawValue: 2)
    package static let nxDomain = ResponseCode(rawValue: 3)
    package static let notImp = ResponseCode(rawValue: 4)
    package static let refused = ResponseCode(rawValue: 5)
    package static let badVersion = ResponseCode(rawValue: 16)

    /// The codes with a mnemonic, in the order of their numbers.
    package static var named: [ResponseCode] {
        mnemonics.known.map { ResponseCode(rawValue: $0) }
    }

    /// The mnemonic, or `RCODE123` without a mnemonic.
    package var description: String { Self.mnemonics.text(of: rawValue) }

    /// The code has 12 bits on the wire.
    private static let largest: UInt16 = 0xfff

    private static let mnemonics = Mnemonics(
        prefix: "RCODE",
        names: [
            0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED",
            6: "YXDOMAIN", 7: "YXRRSET", 8: "NXRRSET", 9: "NOTAUTH", 10: "NOTZONE", 11: "DSOTYPENI",
            16: "BADVERS", 17: "BADKEY", 18: "BADTIME", 19: "BADMODE", 20: "BADNAME", 21: "BADALG",
            22: "BADTRUNC", 23: "BADCOOKIE",
        ]
    )
}
