/// A list of answer times in milliseconds that keeps every bit.
///
/// Each time takes four bytes, so the times of a year fit into memory. Measured times are whole nanoseconds.
/// All other times take eight more bytes.
package struct AnswerTimes: Sequence, Hashable, Sendable {
    /// Nanoseconds; ``other`` marks a time that is in ``others``.
    private var nanoseconds: [UInt32] = []
    /// Times of 4.3 seconds or more, and times with fractions of a nanosecond.
    private var others: [Double] = []

    private static let other = UInt32.max

    package init() {}

    package init(_ times: some Sequence<Double>) { for time in times { append(time) } }

    package var count: Int { nanoseconds.count }
    package var isEmpty: Bool { nanoseconds.isEmpty }

    package mutating func append(_ milliseconds: Double) {
        let rounded = (milliseconds * 1e6).rounded()
        if milliseconds >= 0, rounded < Double(Self.other),
            Self.milliseconds(UInt32(rounded)).bitPattern == milliseconds.bitPattern
        {
            nanoseconds.append(UInt32(rounded))
        } else {
            nanoseconds.append(Self.other)
            others.append(milliseconds)
        }
    }

    package mutating func append(_ later: AnswerTimes) {
        nanoseconds += later.nanoseconds
        others += later.others
    }

    /// Converts a time in the same way as all code that reads a measured time.
    private static func milliseconds(_ nanoseconds: UInt32) -> Double { Double(nanoseconds) * 1e-6 }

    package var underestimatedCount: Int { count }

    package func makeIterator() -> Iterator {
        Iterator(nanoseconds: nanoseconds.makeIterator(), others: others.makeIterator())
    }

    package struct Iterator: IteratorProtocol {
        fileprivate var nanoseconds: IndexingIterator<[UInt32]>
        fileprivate var others: IndexingIterator<[Double]>

        package mutating func next() -> Double? {
            guard let time = nanoseconds.next() else { return nil }
            return time == AnswerTimes.other ? others.next() : AnswerTimes.milliseconds(time)
        }
    }
}

extension AnswerTimes: ExpressibleByArrayLiteral {
    package init(arrayLiteral times: Double...) { self.init(times) }
}
