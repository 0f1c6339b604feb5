/// Isolation to the event loop's thread: what carries it may touch sockets and waits.
@globalActor
public actor EventLoopActor {
    public static let shared = EventLoopActor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe EventLoop.shared.asUnownedSerialExecutor()
    }
}
