import DNSWire

/// The signed zone `checks.test.`, of which `data/lab/lab-checks.toml` has the simulated resolvers
/// asked: each of them validates, and keeps private addresses out.
enum SignedZone {
    static let name = [6] + Array("checks".utf8) + [4] + Array("test".utf8) + [0]

    /// The purpose of a name of the zone, as its first label says.
    enum Test: String {
        case plain
        /// Its signature is wrong.
        case bogus
        /// Its address is a private one.
        case privateAddress = "private"
        /// It tells who asked for it.
        case whoami
    }
}

extension LabQuery {
    static let authenticData: UInt16 = 0x0020

    var checkingIsDisabled: Bool { flags & 0x0010 != 0 }

    /// Whether the sender looks at AD (RFC 6840 §5.7).
    var wantsValidation: Bool { flags & Self.authenticData != 0 || edns?.dnssecOK == true }

    /// `nil` outside the signed zone.
    var test: SignedZone.Test? {
        guard isWithin(SignedZone.name) else { return nil }
        let label = name.dropFirst().prefix(Int(name.first ?? 0))
        return SignedZone.Test(rawValue: String(decoding: label, as: UTF8.self)) ?? .plain
    }
}

extension LabAnswer.Record {
    /// An RRSIG record in form alone (RFC 4034 §3.1), as of a wildcard: no key has made it.
    static func signature(of query: LabQuery, ttl: UInt32) -> Self {
        let times: [UInt32] = [ttl, .max / 2, 0]
        let signature = [UInt8](repeating: 0, count: 64)
        let data =
            query.type.networkOctets + [13, 2] + times.flatMap(\.networkOctets)
            + UInt16(1).networkOctets + SignedZone.name + signature
        return Self(type: RecordType.rrsig.rawValue, ttl: ttl, data: data)
    }
}
