package import DNSWire

extension Response {
    /// Whether the answer alone says that its name is blocked: every address is 0.0.0.0 or ::, or
    /// the resolver says so in an extended error, 15 (Blocked), 16 (Censored) or 17 (Filtered)
    /// ([RFC 8914 §4](https://www.rfc-editor.org/rfc/rfc8914#section-4)).
    package var isFiltered: Bool {
        if extendedErrors.contains(where: { (15...17).contains($0.infoCode) }) { return true }
        return !addresses.isEmpty && addresses.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }
}
