/// Polls a condition until it is true because of other programs; false if it has not become true
/// within `limit`, or not before `process` ended.
package func eventually(
    within limit: Duration = .seconds(60),
    while process: ChildProcess? = nil,
    _ isSo: () async throws -> Bool
) async throws -> Bool {
    try await eventualValue(within: limit, while: process) { try await isSo() ? () : nil } != nil
}

/// What `look` finds once it finds something; `nil` where it finds nothing within `limit`, or before
/// `process` ended.
package func eventualValue<Value>(
    within limit: Duration = .seconds(60),
    while process: ChildProcess? = nil,
    _ look: () async throws -> Value?
) async throws -> Value? {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
        // Asked before the look, so that the last thing it did is not overlooked.
        let isLast = process?.hasEnded == true || .now >= deadline
        if let value = try await look() { return value }
        if isLast { return nil }
        try await Task.sleep(for: .milliseconds(5))
    }
}
