import Transports

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system has to grant before anything else is done. With less, threads, libraries and the
/// language's runtime would fail at a time of their choice, and end the program without a word.
enum SystemLimits {
    /// For the store, the event loop, the simulated resolvers of a lab and a few queries at once.
    private static let leastDescriptors = 32
    /// For the stacks and heaps of a dozen threads, and a small run, in octets.
    private static let leastMemory = 256 << 20

    /// Throws where there is not enough to begin with.
    static func check() throws(Failure) {
        EventLoop.raiseDescriptorLimit()
        guard hasDescriptors else {
            throw Failure(
                .system,
                "too few files may be open at once: raise the limit (ulimit -n) to 64 or more"
            )
        }
        guard hasMemory else {
            throw Failure(
                .system,
                "too little memory may be used: raise the limit (ulimit -v) to 500000 or more"
            )
        }
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
