extension Query {
    /// The same query with as many octets of padding (RFC 7830) as make its size a multiple of
    /// `block`, at least the option itself.
    package func padded(toMultipleOf block: Int) -> Query {
        let bare = size + EDNSOption.headerSize
        let padding = block > 0 ? (block - bare % block) % block : 0
        return appending(option: EDNSOption.padding, octets: [UInt8](repeating: 0, count: padding))
    }
}
