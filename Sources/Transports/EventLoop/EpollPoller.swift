#if os(Linux)
import CSockets
import Glibc

/// epoll(7), edge-triggered, with an eventfd to end a wait from outside.
@safe
struct EpollPoller: Poller, ~Copyable {
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
            Glibc.close(poller)
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

    func add(_ descriptor: Int32, token: WaitToken, writable: Bool) throws(SystemError) {
        let kinds = EPOLLIN.rawValue | EPOLLET.rawValue | (writable ? EPOLLOUT.rawValue : 0)
        var event = unsafe epoll_event(events: kinds, data: epoll_data_t(u64: token.packed))
        guard unsafe epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemError("epoll_ctl")
        }
    }

    mutating func wait(limit: Int64?, report: (WaitToken) -> Void) -> Bool {
        let count = unsafe cs_epoll_wait(
            poller,
            events.baseAddress,
            Int32(events.count),
            limit ?? -1
        )
        guard count >= 0 else { return false }
        for index in 0..<Int(count) {
            let data = unsafe events[index].data.u64
            // The eventfd's count is never read: an edge comes with every write.
            if data != Self.bellToken { report(WaitToken(packed: data)) }
        }
        return unsafe count < events.count
    }

    func wake() {
        _ = eventfd_write(bell, 1)
    }
}

typealias SystemPoller = EpollPoller
#endif
