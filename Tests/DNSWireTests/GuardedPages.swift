import LibC

/// Memory before a page that must not be touched: one byte read too far ends the test run.
@safe struct GuardedPages: ~Copyable {
    private let pages: UnsafeMutableRawPointer
    private let size: Int
    private let total: Int

    /// The system gives no memory.
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

    /// Lends a copy of `bytes` whose end is the end of what may be read.
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
