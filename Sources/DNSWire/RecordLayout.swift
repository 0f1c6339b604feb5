import CLDNS

/// How ldns divides the data of a record into fields.
enum RecordLayout {
    /// Checks the lengths and the names inside a record's data, as ldns will find them; `false`
    /// where ldns is not to be asked, since a field before a name has no size of its own.
    static func check(
        _ record: RecordFrame,
        in message: Span<UInt8>
    ) throws(Malformation) -> Bool {
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
        // ldns does not mind what follows the last field.
        guard field == 0 || position == record.data.upperBound else {
            throw Malformation("has \(record.type) data that is too long")
        }
        return true
    }

    /// Without a last one that may be empty, such as the type list of an NSEC3 record.
    static func minimumFields(of type: RecordType) -> Int {
        let layout = unsafe ldns_rr_descript(type.rawValue)
        let minimum = unsafe ldns_rr_descriptor_minimum(layout)
        guard minimum > 0 else { return 0 }
        let last = unsafe ldns_rr_descriptor_field_type(layout, minimum - 1)
        let isOpen =
            ![LDNS_RDF_TYPE_DNAME, LDNS_RDF_TYPE_STR].contains(last) && size(of: last) == nil
        return isOpen ? minimum - 1 : minimum
    }

    /// In octets; `nil` for those that take what is left, which no name follows.
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
