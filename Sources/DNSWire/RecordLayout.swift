import CLDNS

/// How ldns divides the data of a record into fields.
enum RecordLayout {
    /// Checks the names inside a record's data, as ldns will find them; `false` where ldns is not
    /// to be asked, since the fields before a name have no size of their own.
    static func checkNames(
        of record: RecordFrame,
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
        return true
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
