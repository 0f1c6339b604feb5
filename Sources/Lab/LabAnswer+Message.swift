import DNSWire

extension FixedWidthInteger {
    /// Most significant first.
    var networkOctets: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}

extension LabAnswer {
    /// The response's octets: the question as it came, RA set, an OPT record where one was asked.
    ///
    /// With more than `limit` octets it becomes a truncated one without records (RFC 2181 §9).
    func message(to query: LabQuery, id: UInt16, site: String, limit: Int) -> [UInt8] {
        let records = isTruncated ? [] : answers + authority
        // QR and RA; the opcode, RD and CD are the query's.
        var flags: UInt16 = 0x8080 | query.flags & 0x7910 | code.rawValue & 0xF
        if isTruncated { flags |= 0x0200 }
        let counts: [UInt16] = [
            1, isTruncated ? 0 : UInt16(answers.count), isTruncated ? 0 : UInt16(authority.count),
            query.edns == nil ? 0 : 1,
        ]
        var message = id.networkOctets + flags.networkOctets
        message += counts.flatMap(\.networkOctets)
        message += query.question
        for record in records { message += record.octets(recordClass: query.recordClass) }
        if let edns = query.edns { message += Self.opt(edns, site: site) }
        guard message.count > limit, !isTruncated else { return message }
        var cut = self
        cut.isTruncated = true
        return cut.message(to: query, id: id, site: site, limit: limit)
    }

    private static func opt(_ edns: LabQuery.EDNS, site: String) -> [UInt8] {
        var options: [UInt8] = []
        if edns.asksSite {
            let octets = Array(site.utf8)
            options = LabQuery.nsid.networkOctets + UInt16(octets.count).networkOctets + octets
        }
        return [0] + LabQuery.opt.networkOctets + UInt16(1232).networkOctets
            + [0, 0, 0, 0] + UInt16(options.count).networkOctets + options
    }
}

extension LabAnswer.Record {
    /// The question's name is a pointer to offset 12 (RFC 1035 §4.1.4).
    fileprivate func octets(recordClass: UInt16) -> [UInt8] {
        (owner ?? [0xC0, 0x0C]) + type.networkOctets + recordClass.networkOctets
            + ttl.networkOctets + UInt16(data.count).networkOctets + data
    }
}
