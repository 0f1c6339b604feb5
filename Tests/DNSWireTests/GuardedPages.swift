import LibC

/// Memory in front of an inaccessible page. A read of one byte too many ends the test run.
@safe struct GuardedPages: ~Copyable {
    private let pages: UnsafeMutableRawPointer
    private let size: Int
    private let total: Int

    /// The system has no free memory.
    struct OutOfMemory: Error {}

    init(capacity: Int) throws(OutOfMemory) {
        let page = sysconf(Int32(_SC_PAGESIZE))
        let usable = (capacity + page - 1) / page * page
        let access = PROT_READ | PROT_WRITE
        let kind = MAP_PRIVATE | MAP_ANON
        guard let memory = unsafe mmap(nil, usable + page, access, kind, -1, 0),
            unsafe memory != MAP_FAILED
        else { throw OutOfMemory() }
        guard unsafe mprotect(memory + usable, page, PROT_NONE) == 0 else {
            throw OutOfMemory()
        }
        unsafe pages = memory
        size = usable
        total = usable + page
    }

    /// Passes a copy of the bytes whose end is the end of the readable memory.
    func withGuarded<R>(_ octets: [UInt8], _ body: (UnsafeRawBufferPointer) -> R) -> R {
        precondition(octets.count <= size)
        let start = unsafe pages + size - octets.count
        let copy = unsafe UnsafeMutableRawBufferPointer(start: start, count: octets.count)
        unsafe copy.copyBytes(from: octets)
        return unsafe body(UnsafeRawBufferPointer(copy))
    }

    deinit {
        unsafe munmap(pages, total)
    }
}
