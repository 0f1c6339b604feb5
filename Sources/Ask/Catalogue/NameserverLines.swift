import LibC

/// The `nameserver` lines of a file (resolv.conf(5)), read like the C library (glibc,
/// resolv/res_init.c).
struct NameserverLines {
    /// The maximum number of nameservers that the C library uses (MAXNS of resolv.h).
    static let most = 3
    /// More remarks would hide the other ones.
    private static let mostRemarks = 8

    /// Whether the file could be read.
    let isRead: Bool
    /// The number of nameservers that the C library takes, including nameservers that it cannot
    /// query.
    private(set) var count = 0
    /// The nameservers that the C library queries.
    private(set) var nameservers: [SystemResolvers.Nameserver] = []
    /// Sentences about the other `nameserver` lines.
    private(set) var remarks: [String] = []

    /// Reads the file at `path`, and takes at most `limit` nameservers.
    init(ofFile path: String, limit: Int?, _ hasInterface: (String) -> Bool) {
        guard let text = try? NamedText(repairing: path).text else {
            isRead = false
            return
        }
        isRead = true
        let lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let value = Self.value(Substring(line)) else { continue }
            let place = "\(path):\(index + 1)"
            if let address = read(value, at: place, limit: limit, hasInterface) {
                nameservers.append(.init(address: address, source: path))
            }
        }
    }

    /// The word after `nameserver`; `nil` for another line.
    private static func value(_ line: Substring) -> Substring? {
        let keyword = "nameserver"
        guard line.hasPrefix(keyword) else { return nil }
        let rest = line.dropFirst(keyword.count)
        guard rest.first == " " || rest.first == "\t" else { return nil }
        return rest.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    }

    /// The address in `value`, if the C library queries it; otherwise adds a remark.
    private mutating func read(
        _ value: Substring,
        at place: String,
        limit: Int?,
        _ hasInterface: (String) -> Bool
    ) -> IPAddress? {
        guard let (address, zone) = Self.address(value) else {
            remark(
                "\(place): \(String(value).quoted) is no address\(Self.hint(value)),"
                    + " so the C library ignores this line"
            )
            return nil
        }
        guard count < limit ?? .max else {
            remark(
                "\(place): the C library asks the first \(Self.most) nameservers,"
                    + " so it does not ask \(address)"
            )
            return nil
        }
        count += 1
        guard address.isLinkLocal6 else { return address }
        guard let zone, hasInterface(zone) else {
            let missing = zone.map { "this machine has no interface \($0.quoted)" }
            let advice = missing ?? "\(address) needs an interface, as in \(address)%eth0"
            remark("\(place): \(advice), so the C library cannot ask this nameserver")
            return nil
        }
        return IPAddress(bytes: address.bytes, zone: zone)?.withNamedZone
    }

    private mutating func remark(_ sentence: String) {
        if remarks.count < Self.mostRemarks { remarks.append(sentence) }
    }

    /// The address as inet_aton(3) and inet_pton(3) read it, and the text after `%`.
    private static func address(_ value: Substring) -> (IPAddress, zone: String?)? {
        // inet_aton(3) accepts any white space after an address; the C library does not.
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        var address = in_addr()
        if unsafe inet_aton(String(value), &address) != 0 {
            let number = UInt32(bigEndian: address.s_addr)
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            guard let found = IPAddress(bytes: bytes) else { return nil }
            return (found, nil)
        }
        let parts = value.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first.flatMap({ IPAddress($0) }), host.family == .v6 else {
            return nil
        }
        return (host.unmapped, parts.count == 2 ? String(parts[1]) : nil)
    }

    /// A possible reason why `value` is not an address, as an addition to a sentence.
    private static func hint(_ value: Substring) -> String {
        if value.utf8.last == 0x0d { return " with the carriage return at its end" }
        let host = value.prefix { $0 != "#" }
        let isPort = host.endIndex < value.endIndex || Endpoint.split(value).port != nil
        return isPort && !host.isEmpty ? " (it cannot have a port)" : ""
    }
}
