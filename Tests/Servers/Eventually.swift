/// Polls a condition until other programs have made it true. Returns false if the condition is still false
/// after `limit`, or after the end of `process`.
package func eventually(
    within limit: Duration = .seconds(60),
    while process: ChildProcess? = nil,
    _ isSo: () async throws -> Bool
) async throws -> Bool {
    try await eventualValue(within: limit, while: process) { try await isSo() ? () : nil } != nil
}

/// Polls `look` and returns its first value. Returns `nil` if `look` has no value after `limit`, or after the
/// end of `process`.
package func eventualValue<Value>(
    within limit: Duration = .seconds(60),
    while process: ChildProcess? = nil,
    _ look: () async throws -> Value?
) async throws -> Value? {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
        // Read before the call of `look`, so that the last call sees the last action of `process`.
        let isLast = process?.hasEnded == true || .now >= deadline
        if let value = try await look() { return value }
        if isLast { return nil }
        try await Task.sleep(for: .milliseconds(5))
    }
}
