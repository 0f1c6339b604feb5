import CProcess
import Failures
import LibC
import Transports

/// The least that the system has to grant. With less, threads, libraries and the
/// language's runtime would fail at a time of their choice, and end the program without a word.
enum SystemLimits {
    /// For the store, the event loop, the simulated resolvers of a lab and a few queries at once.
    private static let leastDescriptors = 32
    /// For the stacks and heaps of a dozen threads, and a small run, in octets.
    private static let leastMemory = 256 << 20
    /// For each thread, in bytes. A lab takes a third of it.
    private static let leastStack: UInt = 512 << 10
    /// In addition to one thread per processor, which run tasks: timers, the event loop, the lab, the
    /// dashboard's connections and its pages, and a name that the system looks up.
    private static let leastThreads = 6

    /// To be called first: even the parser of the command line takes a large stack.
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
        // The runtime waits for a thread until it can be made, which may be never.
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
