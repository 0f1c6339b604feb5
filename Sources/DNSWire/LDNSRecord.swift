import CLDNS

/// Sole owner of one `ldns_rr`; `deinit` frees it.
@safe struct LDNSRecord: ~Copyable {
    private let pointer: UnsafeMutablePointer<ldns_rr>

    /// Reads the record whose names and bounds were checked.
    init(
        _ frame: RecordFrame,
        in message: Span<UInt8>
    ) throws(Malformation) {
        var record: UnsafeMutablePointer<ldns_rr>?
        var position = frame.start
        let status = unsafe message.withUnsafeBufferPointer { octets in
            unsafe ldns_wire2rr(
                &record,
                octets.baseAddress,
                frame.data.upperBound,
                &position,
                LDNS_SECTION_ANSWER
            )
        }
        guard status == LDNS_STATUS_OK, let record = unsafe record else {
            let words = unsafe ldns_get_errorstr_by_id(status).map { unsafe String(cString: $0) }
            throw Malformation("has broken \(frame.type) data (\(words ?? "unknown error"))")
        }
        unsafe pointer = record
    }

    /// Throws where the data has fewer fields than the type wants.
    func checkFields(of frame: RecordFrame) throws(Malformation) {
        guard unsafe ldns_rr_rd_count(pointer) >= RecordLayout.minimumFields(of: frame.type) else {
            throw Malformation("has \(frame.type) data that lacks fields")
        }
    }

    var isInternet: Bool { unsafe ldns_rr_get_class(pointer) == LDNS_RR_CLASS_IN }

    /// The first field of the data.
    var firstField: [UInt8] { field(0) }

    /// The character strings of a TXT record, each without its length (RFC 1035 §3.3.14).
    var strings: [[UInt8]] {
        let count = unsafe ldns_rr_rd_count(pointer)
        return (0..<count).map { Array(field($0).dropFirst()) }
    }

    private func field(_ number: Int) -> [UInt8] {
        guard let field = unsafe ldns_rr_rdf(pointer, number),
            let octets = unsafe ldns_rdf_data(field)
        else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: octets, count: ldns_rdf_size(field)))
    }

    deinit {
        unsafe ldns_rr_free(pointer)
    }
}
