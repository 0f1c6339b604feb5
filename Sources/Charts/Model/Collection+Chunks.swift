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
