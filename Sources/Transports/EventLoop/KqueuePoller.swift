#if canImport(Darwin)
import Darwin

/// kqueue(2), edge-triggered, with a user event to end a wait from outside.
@safe
struct KqueuePoller: Poller, ~Copyable {
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
        let nanoseconds = max(limit ?? 0, 0)
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000),
            tv_nsec: Int(nanoseconds % 1_000_000_000)
        )
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

typealias SystemPoller = KqueuePoller
#endif
