import Dispatch
import Synchronization

/// Parallel work on all processors. A year of hours is read in a moment, so its evaluation should not take
/// longer.
package enum Concurrently {
    /// Returns the results of `make` for each element, in their order.
    package static func map<Element: Sendable, Made: Sendable>(
        _ elements: [Element],
        _ make: @Sendable (Element) -> Made
    ) -> [Made] {
        guard elements.count > 1 else { return elements.map(make) }
        let results = Mutex([Made?](repeating: nil, count: elements.count))
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
            let result = make(elements[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// Returns the results of both functions. If any fails, throws the error of the first that failed.
    package static func both<First: Sendable, Second: Sendable, Failure>(
        _ first: @Sendable () throws(Failure) -> First,
        _ second: @Sendable () throws(Failure) -> Second
    ) throws(Failure) -> (First, Second) {
        typealias Half = (Result<First, Failure>?, Result<Second, Failure>?)
        let halves = map([true, false]) { isFirst -> Half in
            isFirst ? (Result(catching: first), nil) : (nil, Result(catching: second))
        }
        guard let one = halves[0].0, let other = halves[1].1 else {
            return (try first(), try second())
        }
        return (try one.get(), try other.get())
    }
}
