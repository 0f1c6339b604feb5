#if os(Linux)
import CSockets
import LibC

/// Waits for the events of the event loop: ready sockets, a time limit, or ``wake()``. It uses epoll(7),
/// edge-triggered, with an eventfd to end a wait from another thread.
@safe
struct Poller: ~Copyable {
    private let poller: Int32
    private let bell: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private static let bellToken = UInt64.max

    init() throws(SystemError) {
        let poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poller >= 0 else { throw SystemError("epoll_create1") }
        let bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        var event = unsafe epoll_event(
            events: EPOLLIN.rawValue | EPOLLET.rawValue,
            data: epoll_data_t(u64: Self.bellToken)
        )
        guard bell >= 0, unsafe epoll_ctl(poller, EPOLL_CTL_ADD, bell, &event) == 0 else {
            let error = SystemError("eventfd")
            LibC.close(poller)
            throw error
        }
        self.poller = poller
        self.bell = bell
        unsafe events = .allocate(capacity: 512)
    }

    deinit {
        close(bell)
        close(poller)
        unsafe events.deallocate()
    }

    /// Reports `descriptor` under `token` each time it becomes readable or has an error. With `writable`, it
    /// also reports when the descriptor becomes writable. Closing the descriptor ends the reports.
    func add(_ descriptor: Int32, token: WaitToken, writable: Bool) throws(SystemError) {
        let kinds = EPOLLIN.rawValue | EPOLLET.rawValue | (writable ? EPOLLOUT.rawValue : 0)
        var event = unsafe epoll_event(events: kinds, data: epoll_data_t(u64: token.packed))
        guard unsafe epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemError("epoll_ctl")
        }
    }

    /// Stops reporting `descriptor`, which was added before.
    func remove(_ descriptor: Int32) {
        _ = epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Waits for events, at most `limit` nanoseconds (`nil`: no limit). Returns `false` if there may be
    /// unreported events.
    mutating func wait(limit: Int64?, report: (WaitToken) -> Void) -> Bool {
        let most = unsafe Int32(events.count)
        let count = unsafe cs_epoll_wait(poller, events.baseAddress, most, limit ?? -1)
        guard count >= 0 else { return false }
        for index in 0..<Int(count) {
            let data = unsafe events[index].data.u64
            // The eventfd's counter is never read: every write triggers an edge.
            if data != Self.bellToken { report(WaitToken(packed: data)) }
        }
        return unsafe count < events.count
    }

    /// Ends a wait from any thread.
    func wake() { _ = eventfd_write(bell, 1) }
}
#else
import LibC

/// The poller on kqueue(2), edge-triggered, with a user event to end a wait from another thread.
@safe
struct Poller: ~Copyable {
    private let poller: Int32
    private let events: UnsafeMutableBufferPointer<kevent64_s>

    init() throws(SystemError) {
        poller = kqueue()
        guard poller >= 0 else { throw SystemError("kqueue") }
        unsafe events = .allocate(capacity: 512)
        try change(ident: 0, filter: EVFILT_USER, token: 0)
    }

    deinit {
        close(poller)
        unsafe events.deallocate()
    }

    func add(_ descriptor: Int32, token: WaitToken, writable: Bool) throws(SystemError) {
        try change(ident: UInt64(descriptor), filter: EVFILT_READ, token: token.packed)
        if writable {
            try change(ident: UInt64(descriptor), filter: EVFILT_WRITE, token: token.packed)
        }
    }

    func remove(_ descriptor: Int32) {
        var event = kevent64_s()
        event.ident = UInt64(descriptor)
        event.filter = Int16(EVFILT_READ)
        event.flags = UInt16(EV_DELETE)
        _ = unsafe kevent64(poller, &event, 1, nil, 0, 0, nil)
    }

    private func change(ident: UInt64, filter: Int32, token: UInt64) throws(SystemError) {
        var event = kevent64_s()
        event.ident = ident
        event.filter = Int16(filter)
        event.flags = UInt16(EV_ADD | EV_CLEAR)
        event.udata = token
        guard unsafe kevent64(poller, &event, 1, nil, 0, 0, nil) == 0 else {
            throw SystemError("kevent64")
        }
    }

    mutating func wait(limit: Int64?, report: (WaitToken) -> Void) -> Bool {
        let (seconds, rest) = max(limit ?? 0, 0).quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        let count =
            if limit == nil {
                unsafe kevent64(poller, nil, 0, events.baseAddress, Int32(events.count), 0, nil)
            } else {
                unsafe kevent64(poller, nil, 0, events.baseAddress, Int32(events.count), 0, &time)
            }
        guard count >= 0 else { return false }
        for index in 0..<Int(count) where unsafe events[index].filter != Int16(EVFILT_USER) {
            report(WaitToken(packed: unsafe events[index].udata))
        }
        return unsafe count < events.count
    }

    func wake() {
        var event = kevent64_s()
        event.filter = Int16(EVFILT_USER)
        event.fflags = UInt32(NOTE_TRIGGER)
        _ = unsafe kevent64(poller, &event, 1, nil, 0, 0, nil)
    }
}
#endif
