import CLDNS

/// The sole owner of one `ldns_rr`. `deinit` frees it.
@safe struct LDNSRecord: ~Copyable {
    private let pointer: UnsafeMutablePointer<ldns_rr>

    /// Reads a record whose names and bounds were checked. Throws if the data has fewer fields than
    /// the type requires.
    init(_ frame: RecordFrame, in message: Span<UInt8>) throws(Malformation) {
        var record: UnsafeMutablePointer<ldns_rr>?
        var position = frame.start
        let end = frame.data.upperBound
        let status = unsafe message.withUnsafeBufferPointer { bytes in
            unsafe ldns_wire2rr(&record, bytes.baseAddress, end, &position, LDNS_SECTION_ANSWER)
        }
        guard status == LDNS_STATUS_OK, let record = unsafe record else {
            let words = unsafe ldns_get_errorstr_by_id(status).map { unsafe String(cString: $0) }
            throw Malformation("has broken \(frame.type) data (\(words ?? "unknown error"))")
        }
        guard unsafe ldns_rr_rd_count(record) >= RecordLayout.minimumFields(of: frame.type) else {
            unsafe ldns_rr_free(record)
            throw Malformation("has \(frame.type) data that lacks fields")
        }
        unsafe pointer = record
    }

    /// Reads the data of a record of `type` in presentation form; `nil` if it is not valid.
    init?(text: String, type: RecordType) {
        var record: UnsafeMutablePointer<ldns_rr>?
        let line = ". 0 IN \(type) \(text)"
        let status = unsafe ldns_rr_new_frm_str(&record, line, 0, nil, nil)
        guard status == LDNS_STATUS_OK, let record = unsafe record else { return nil }
        unsafe pointer = record
    }

    /// The data in presentation form. Converts the names of this record to lower case.
    func canonicalData() -> String {
        unsafe ldns_rr2canonical(pointer)
        let fields = (0..<(unsafe ldns_rr_rd_count(pointer))).map { number in
            guard let field = unsafe ldns_rr_rdf(pointer, number),
                let text = unsafe ldns_rdf2str(field)
            else { return "" }
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
        return fields.joined(separator: " ")
    }

    var isInternet: Bool { unsafe ldns_rr_get_class(pointer) == LDNS_RR_CLASS_IN }

    var firstField: [UInt8] { field(0) }

    /// The character strings of a TXT record, without their lengths (RFC 1035 §3.3.14).
    var strings: [[UInt8]] {
        let count = unsafe ldns_rr_rd_count(pointer)
        return (0..<count).map { Array(field($0).dropFirst()) }
    }

    private func field(_ number: Int) -> [UInt8] {
        guard let field = unsafe ldns_rr_rdf(pointer, number),
            let bytes = unsafe ldns_rdf_data(field)
        else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: ldns_rdf_size(field)))
    }

    deinit {
        unsafe ldns_rr_free(pointer)
    }
}

/// The division of record data into fields, as ldns does it.
enum RecordLayout {
    /// Checks the lengths and the names inside a record's data as ldns will read them. Returns
    /// `false` if ldns must not read the record, because a field before a name has no size of its
    /// own.
    static func check(_ record: RecordFrame, in message: Span<UInt8>) throws(Malformation) -> Bool {
        let layout = unsafe ldns_rr_descript(record.type.rawValue)
        var position = record.data.lowerBound
        var field = 0
        while position < record.data.upperBound, unsafe field < ldns_rr_descriptor_maximum(layout) {
            let kind = unsafe ldns_rr_descriptor_field_type(layout, field)
            switch kind {
            case LDNS_RDF_TYPE_DNAME:
                position = try NameWalk.end(of: position, in: message)
            case LDNS_RDF_TYPE_STR:
                position += 1 + Int(message[position])
            case LDNS_RDF_TYPE_HIP:
                return false
            default:
                guard let size = size(of: kind) else { return true }
                position += size
            }
            field += 1
        }
        guard position <= record.data.upperBound else {
            throw Malformation("has \(record.type) data that is cut short")
        }
        // ldns ignores bytes after the last field.
        guard field == 0 || position == record.data.upperBound else {
            throw Malformation("has \(record.type) data that is too long")
        }
        return true
    }

    /// The minimum number of fields of a type. It excludes a last field that may be empty, such as
    /// the type list of an NSEC3 record.
    static func minimumFields(of type: RecordType) -> Int {
        let layout = unsafe ldns_rr_descript(type.rawValue)
        let minimum = unsafe ldns_rr_descriptor_minimum(layout)
        guard minimum > 0 else { return 0 }
        let last = unsafe ldns_rr_descriptor_field_type(layout, minimum - 1)
        let isOpen =
            ![LDNS_RDF_TYPE_DNAME, LDNS_RDF_TYPE_STR].contains(last) && size(of: last) == nil
        return isOpen ? minimum - 1 : minimum
    }

    /// The size of a field in bytes; `nil` for fields that take the rest of the data. No name
    /// follows such a field.
    private static func size(of kind: ldns_rdf_type) -> Int? {
        switch kind {
        case LDNS_RDF_TYPE_INT8, LDNS_RDF_TYPE_ALG, LDNS_RDF_TYPE_CERTIFICATE_USAGE,
            LDNS_RDF_TYPE_SELECTOR, LDNS_RDF_TYPE_MATCHING_TYPE:
            1
        case LDNS_RDF_TYPE_INT16, LDNS_RDF_TYPE_TYPE, LDNS_RDF_TYPE_CLASS, LDNS_RDF_TYPE_CERT_ALG:
            2
        case LDNS_RDF_TYPE_INT32, LDNS_RDF_TYPE_A, LDNS_RDF_TYPE_TIME, LDNS_RDF_TYPE_PERIOD:
            4
        case LDNS_RDF_TYPE_TSIGTIME: 6
        case LDNS_RDF_TYPE_AAAA: 16
        default: nil
        }
    }
}
