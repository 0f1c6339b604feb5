import Catalogue
import DNSWire

/// A simulated resolver's answer to a query: a code and records.
struct LabAnswer {
    /// A resource record of the query's name or of a zone.
    struct Record {
        /// The owner in wire form; `nil` for the name of the question.
        var owner: [UInt8]?
        var type: UInt16
        var ttl: UInt32
        var data: [UInt8]
    }

    static let invalidZone: [UInt8] = [7] + Array("invalid".utf8) + [0]

    var code = ResponseCode.noError
    var answers: [Record] = []
    var authority: [Record] = []
    var isTruncated = false
    /// Whether its signatures were checked, which the AD bit reports (RFC 6840 §5.8).
    var isValidated = false

    init(code: ResponseCode) { self.code = code }

    /// Creates the behaviour's answer to the question, with the TTL that is left in the cache.
    init(to query: LabQuery, by behaviour: Behaviour, ttl: UInt32) {
        switch (query.opcode, query.recordClass) {
        case (0, 1): answerInternet(query, behaviour, ttl)
        case (0, 3) where query.type == RecordType.txt.rawValue && Self.asksIdentity(query.name):
            answers = [.init(type: query.type, ttl: 0, data: Self.text(behaviour.name))]
        case (0, _): code = .refused
        default: code = .notImp
        }
    }

    /// Creates a forged answer, as an attacker that cannot see the query might send it.
    init(forging query: LabQuery) {
        answers = [.init(type: RecordType.a.rawValue, ttl: 60, data: [203, 0, 113, 66])]
    }

    private mutating func answerInternet(_ query: LabQuery, _ behaviour: Behaviour, _ ttl: UInt32) {
        let test = query.test
        guard test != .bogus || query.checkingIsDisabled else {
            code = .servFail
            return
        }
        var data: [[UInt8]] = []
        switch (RecordType(rawValue: query.type), query.isInvalid) {
        case (.a, _) where test == .privateAddress: break
        case (.txt, _) where test == .whoami: data = [Self.text(Self.egress(of: behaviour.name))]
        case (_, true) where !behaviour.nxdomainRewrite: code = .nxDomain
        case (.a, true): data = [[198, 51, 100, 80]]
        case (.a, false):
            data = Self.hosts(of: query.name, count: behaviour.answers).map { [192, 0, 2, $0] }
        case (.aaaa, false):
            let network: [UInt8] = [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11)
            data = Self.hosts(of: query.name, count: behaviour.answers).map { network + [$0] }
        case (.txt, false): data = [Self.text(behaviour.name)]
        default: break
        }
        answers = data.map { .init(type: query.type, ttl: ttl, data: $0) }
        if test != nil, !answers.isEmpty {
            isValidated = !query.checkingIsDisabled && query.wantsValidation
            if query.edns?.dnssecOK == true { answers.append(.signature(of: query, ttl: ttl)) }
        }
        guard answers.isEmpty else { return }
        authority = [Self.soa(of: code == .nxDomain ? Self.invalidZone : nil, ttl: ttl)]
    }

    /// The last bytes of the name's addresses, which are equal at every resolver.
    private static func hosts(of name: [UInt8], count: Int) -> [UInt8] {
        let hash = name.hash
        return (0..<UInt64(max(count, 0))).map { UInt8((hash % 254 + $0) % 254 + 1) }
    }

    /// The address from which a resolver reports that it queries others. It is in the documentation
    /// network.
    private static func egress(of resolver: String) -> String {
        let hash = Array(resolver.utf8).hash
        let groups = stride(from: 48, through: 0, by: -16).map {
            String(UInt16(truncatingIfNeeded: hash >> UInt64($0)), radix: 16)
        }
        return "2001:db8:0:0:" + groups.joined(separator: ":")
    }

    /// Whether the name is `id.server` (RFC 4892) or its older name.
    private static func asksIdentity(_ name: [UInt8]) -> Bool {
        name == [2] + Array("id".utf8) + [6] + Array("server".utf8) + [0]
            || name == [8] + Array("hostname".utf8) + [4] + Array("bind".utf8) + [0]
    }

    /// One character string (RFC 1035 §3.3.14).
    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(255))
        return [UInt8(bytes.count)] + bytes
    }

    /// An SOA record. MNAME and RNAME are `invalid.`, the serial is 1 and the timers are common
    /// values (RFC 1035 §3.3.13).
    private static func soa(of zone: [UInt8]?, ttl: UInt32) -> Record {
        let numbers: [UInt32] = [1, 3600, 600, 86400, ttl]
        let data = invalidZone + invalidZone + numbers.flatMap(\.networkBytes)
        return Record(owner: zone, type: 6, ttl: ttl, data: data)
    }

    /// The response's bytes: the question as received, RA set, and an OPT record if the query had
    /// one.
    ///
    /// A response of more than `limit` bytes is truncated and has no records (RFC 2181 §9).
    func message(to query: LabQuery, id: UInt16, site: String, limit: Int) -> [UInt8] {
        let records = isTruncated ? [] : answers + authority
        // QR and RA are set. The opcode, RD and CD are copied from the query.
        var flags: UInt16 = 0x8080 | query.flags & 0x7910 | code.rawValue & 0xF
        if isTruncated { flags |= 0x0200 }
        if isValidated { flags |= LabQuery.authenticData }
        let counts: [UInt16] = [
            1, isTruncated ? 0 : UInt16(answers.count), isTruncated ? 0 : UInt16(authority.count),
            query.edns == nil ? 0 : 1,
        ]
        var message = id.networkBytes + flags.networkBytes
        message += counts.flatMap(\.networkBytes)
        message += query.question
        for record in records { message += record.bytes(recordClass: query.recordClass) }
        if let edns = query.edns { message += Self.opt(edns, site: site) }
        guard message.count > limit, !isTruncated else { return message }
        var cut = self
        cut.isTruncated = true
        return cut.message(to: query, id: id, site: site, limit: limit)
    }

    private static func opt(_ edns: LabQuery.EDNS, site: String) -> [UInt8] {
        var options: [UInt8] = []
        if edns.asksSite {
            let bytes = Array(site.utf8)
            options = LabQuery.nsid.networkBytes + UInt16(bytes.count).networkBytes + bytes
        }
        return [0] + LabQuery.opt.networkBytes + UInt16(1232).networkBytes
            + [0, 0, edns.dnssecOK ? 0x80 : 0, 0] + UInt16(options.count).networkBytes + options
    }
}

extension LabAnswer.Record {
    /// The bytes of the record. The question's name is a pointer to offset 12 (RFC 1035 §4.1.4).
    fileprivate func bytes(recordClass: UInt16) -> [UInt8] {
        (owner ?? [0xC0, 0x0C]) + type.networkBytes + recordClass.networkBytes
            + ttl.networkBytes + UInt16(data.count).networkBytes + data
    }
}

extension [UInt8] {
    /// The FNV-1a hash.
    var hash: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, most significant first.
    var networkBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}
