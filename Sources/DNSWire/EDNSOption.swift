/// The EDNS options that are sent and read (RFC 6891 §6.1.2).
enum EDNSOption {
    static let nsid: UInt16 = 3
    static let clientSubnet: UInt16 = 8
    static let padding: UInt16 = 12
    static let extendedError: UInt16 = 15
    /// Code and length, in octets.
    static let headerSize = 4

    /// The options of a query, encoded.
    static func requests(for options: QueryOptions) -> [UInt8] {
        var data: [UInt8] = []
        if options.nsid { data += encoded(nsid, []) }
        if let subnet = options.clientSubnet { data += encoded(clientSubnet, subnet.optionData) }
        return data
    }

    /// The value is at most 20 octets long.
    private static func encoded(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        [UInt8(code >> 8), UInt8(code & 0xff), 0, UInt8(value.count)] + value
    }
}
