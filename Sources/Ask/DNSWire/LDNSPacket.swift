import CLDNS

/// The sole owner of one `ldns_pkt`. `deinit` frees it with its content.
@safe struct LDNSPacket: ~Copyable {
    private let pointer: UnsafeMutablePointer<ldns_pkt>

    /// Creates a query with ID 0; `nil` if memory is short.
    init?(asking question: Question, options: QueryOptions) {
        let wire = question.name.wire
        guard let name = unsafe ldns_dname_new_frm_data(UInt16(wire.count), wire),
            let packet = unsafe ldns_pkt_query_new(
                name,
                ldns_rr_type(UInt32(question.type.rawValue)),
                ldns_rr_class(UInt32(question.recordClass.rawValue)),
                Self.flags(of: options)
            )
        else { return nil }
        unsafe pointer = packet
        unsafe ldns_pkt_set_id(packet, 0)
        guard options.bufferSize > 0 else { return }
        unsafe ldns_pkt_set_edns_udp_size(packet, max(options.bufferSize, 512))
        unsafe ldns_pkt_set_edns_do(packet, options.dnssecOK)
        let data = EDNSOption.requests(for: options)
        if !data.isEmpty {
            let field = unsafe ldns_rdf_new_frm_data(LDNS_RDF_TYPE_NONE, data.count, data)
            unsafe ldns_pkt_set_edns_data(packet, field)
        }
    }

    /// The message as it is sent.
    func wire() -> [UInt8]? {
        // The buffer grows. ldns_pkt2wire would allocate room for the largest possible message.
        guard let buffer = unsafe ldns_buffer_new(512) else { return nil }
        defer { unsafe ldns_buffer_free(buffer) }
        guard unsafe ldns_pkt2buffer_wire(buffer, pointer) == LDNS_STATUS_OK else { return nil }
        let count = unsafe ldns_buffer_position(buffer)
        return unsafe Array(UnsafeBufferPointer(start: ldns_buffer_begin(buffer), count: count))
    }

    private static func flags(of options: QueryOptions) -> UInt16 {
        var flags = options.recursionDesired ? LDNS_RD : 0
        if options.checkingDisabled { flags |= LDNS_CD }
        if options.authenticData { flags |= LDNS_AD }
        return UInt16(flags)
    }

    deinit {
        unsafe ldns_pkt_free(pointer)
    }
}
