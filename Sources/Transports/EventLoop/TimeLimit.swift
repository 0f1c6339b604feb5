import CSockets

/// The time that something takes, by this process's clock.
struct Stopwatch {
    /// Nanoseconds of CLOCK_MONOTONIC.
    let began = cs_monotonic()
    private let stood = EventLoop.shared.stood

    /// The time in which the process itself stood still, at most, since it began.
    var standstill: Int64 { EventLoop.shared.stood - stood }

    /// The time since it began; `nil` where the process stood still meanwhile, so that nobody knows.
    var elapsed: Duration? {
        standstill > 0 ? nil : .nanoseconds(cs_monotonic() - began)
    }
}

/// How long an exchange may take, from its very beginning.
///
/// Time in which the process stood still is not waited: a query is not late because nobody looked.
struct TimeLimit {
    let timeout: Duration
    let watch = Stopwatch()

    init(_ timeout: Duration) { self.timeout = timeout }

    /// What comes later than this is too late, in nanoseconds of CLOCK_MONOTONIC.
    var deadline: Int64 { watch.began + timeout.nanoseconds + watch.standstill }

    /// `time`, unless it cannot be true of something that ended in time.
    func plausible(_ time: Duration?) -> Duration? {
        time.flatMap { (.zero...max(.zero, timeout)).contains($0) ? $0 : nil }
    }
}
