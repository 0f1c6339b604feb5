import Dispatch
import Synchronization

/// Work that is done at once, on as many processors as there are: a year of hours is read in a
/// moment, and what is made of it should not take longer.
package enum Concurrently {
    /// Results of `make` for each element, in their order.
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

    /// Results of both; throws what the first that failed has thrown.
    package static func both<First: Sendable, Second: Sendable, Failure>(
        _ first: @Sendable () throws(Failure) -> First,
        _ second: @Sendable () throws(Failure) -> Second
    ) throws(Failure) -> (First, Second) {
        let one = Mutex<Result<First, Failure>?>(nil)
        let other = Mutex<Result<Second, Failure>?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            if index == 0 {
                let result = Result(catching: first)
                one.withLock { $0 = result }
            } else {
                let result = Result(catching: second)
                other.withLock { $0 = result }
            }
        }
        guard let one = one.withLock({ $0 }), let other = other.withLock({ $0 }) else {
            return (try first(), try second())
        }
        return (try one.get(), try other.get())
    }
}
