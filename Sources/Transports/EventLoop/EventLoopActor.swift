/// Isolation to the event loop's thread: what carries it may touch sockets and waits.
@globalActor
package actor EventLoopActor {
    package static let shared = EventLoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe EventLoop.shared.asUnownedSerialExecutor()
    }
}
