import DNSWire

/// The signed zone `checks.test.`, which `data/lab/lab-checks.toml` queries at the simulated
/// resolvers. Each of them validates, and excludes private addresses.
enum SignedZone {
    static let name = [6] + Array("checks".utf8) + [4] + Array("test".utf8) + [0]

    /// The purpose of a name in the zone, encoded in its first label.
    enum Test: String {
        case plain
        /// The signature of the name is wrong.
        case bogus
        /// The address of the name is private.
        case privateAddress = "private"
        /// The answer contains the address of the client.
        case whoami
    }
}

extension LabQuery {
    static let authenticData: UInt16 = 0x0020

    var checkingIsDisabled: Bool { flags & 0x0010 != 0 }

    /// Whether the sender uses the AD bit (RFC 6840 §5.7).
    var wantsValidation: Bool { flags & Self.authenticData != 0 || edns?.dnssecOK == true }

    /// The purpose of the queried name; `nil` outside the signed zone.
    var test: SignedZone.Test? {
        guard isWithin(SignedZone.name) else { return nil }
        let label = name.dropFirst().prefix(Int(name.first ?? 0))
        return SignedZone.Test(rawValue: String(decoding: label, as: UTF8.self)) ?? .plain
    }
}

extension LabAnswer.Record {
    /// An RRSIG record with a valid form only (RFC 4034 §3.1), as for a wildcard. No key has signed
    /// it.
    static func signature(of query: LabQuery, ttl: UInt32) -> Self {
        let times: [UInt32] = [ttl, .max / 2, 0]
        let signature = [UInt8](repeating: 0, count: 64)
        let data =
            query.type.networkBytes + [13, 2] + times.flatMap(\.networkBytes)
            + UInt16(1).networkBytes + SignedZone.name + signature
        return Self(type: RecordType.rrsig.rawValue, ttl: ttl, data: data)
    }
}
