import CProcess
import Failures
import LibC
import Transports

/// The minimum resources that the system must grant. With less, threads, libraries and the language's runtime
/// would fail unpredictably, and end the program without a message.
enum SystemLimits {
    /// Descriptors for the store, the event loop, the simulated resolvers of a lab and a few parallel
    /// queries.
    private static let leastDescriptors = 32
    /// Memory for the stacks and heaps of a dozen threads and a small run, in bytes.
    private static let leastMemory = 256 << 20
    /// The stack of each thread, in bytes. A lab takes a third of it.
    private static let leastStack: UInt = 512 << 10
    /// Threads in addition to one per processor for tasks: timers, the event loop, the lab, the dashboard's
    /// connections and its pages, and system lookups of names.
    private static let leastThreads = 6

    /// Checks the stack. Call it first: even the parser of the command line requires a large stack.
    static func checkStack() throws(Failure) {
        try require(
            cprocess_has_stack(leastStack) != 0,
            else: "too small a stack may be used: raise the limit (ulimit -s) to 1024 or more"
        )
    }

    static func check() throws(Failure) {
        EventLoop.raiseDescriptorLimit()
        try require(
            hasDescriptors,
            else: "too few files may be open at once: raise the limit (ulimit -n) to 64 or more"
        )
        try require(
            hasMemory,
            else: "too little memory may be used: raise the limit (ulimit -v) to 500000 or more"
        )
        // The runtime waits until it can create a thread, possibly forever.
        let threads = cprocess_processors() + leastThreads
        try require(
            cprocess_can_start_threads(threads) != 0,
            else: "too few threads may run at once: allow \(threads) more (ulimit -u, or the pids "
                + "limit of the container)"
        )
    }

    private static func require(_ isGranted: Bool, else words: String) throws(Failure) {
        if !isGranted { throw Failure(.system, words) }
    }

    private static var hasDescriptors: Bool {
        let taken = (0..<leastDescriptors).map { _ in dup(STDERR_FILENO) }.filter { $0 >= 0 }
        for descriptor in taken { close(descriptor) }
        return taken.count == leastDescriptors || fcntl(STDERR_FILENO, F_GETFD) < 0
    }

    private static var hasMemory: Bool {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let start = unsafe mmap(nil, leastMemory, PROT_NONE, flags, -1, 0)
        guard unsafe start != MAP_FAILED else { return false }
        return unsafe munmap(start, leastMemory) == 0
    }
}
