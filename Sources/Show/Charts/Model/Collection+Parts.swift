extension Collection {
    /// Slices of adjacent elements for which `belong` returns true, in order.
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
    /// The distinct elements, in order of first appearance.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Array {
    /// The indices of at most `limit` elements, in ascending order. If there are more elements, those that
    /// satisfy `isSought` take precedence.
    func places(upTo limit: Int, preferring isSought: (Element) -> Bool) -> [Int] {
        let sought = indices.filter { isSought(self[$0]) }
        let others = indices.filter { !isSought(self[$0]) }
        return (sought + others).prefix(limit).sorted()
    }
}

extension [Double] {
    /// The median, or the upper of the two middle elements. `nil` if the collection is empty.
    var middle: Double? { isEmpty ? nil : sorted()[count / 2] }
}
