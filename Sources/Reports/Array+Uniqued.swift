extension Array where Element: Hashable {
    /// Each once, in the order in which they first appear.
    package var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
