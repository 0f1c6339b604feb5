extension Collection {
    /// Slices of neighbours that belong together, in order.
    func chunked(by belong: (Element, Element) -> Bool) -> [SubSequence] {
        var chunks: [SubSequence] = []
        var start = startIndex
        for (index, next) in zip(indices, indices.dropFirst())
        where !belong(self[index], self[next]) {
            chunks.append(self[start..<next])
            start = next
        }
        return isEmpty ? [] : chunks + [self[start...]]
    }
}

extension Sequence where Element: Hashable {
    /// Each once, in the order in which they first appear.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Array {
    /// The places of at most `limit` elements, ascending: where there are more, those that a reader
    /// looks for come first.
    func places(upTo limit: Int, preferring isSought: (Element) -> Bool) -> [Int] {
        let sought = indices.filter { isSought(self[$0]) }
        let others = indices.filter { !isSought(self[$0]) }
        return (sought + others).prefix(limit).sorted()
    }
}

extension [Double] {
    /// The middle one, the upper of two; `nil` where there is none.
    var middle: Double? { isEmpty ? nil : sorted()[count / 2] }
}
