/// What a look-up waits where servers of resolv.conf are silent, in seconds.
///
/// glibc asks the servers in their order and begins anew until it did so `attempts` times. The first
/// of them may take `timeout`, a later one, n, (timeout << n) / servers, and at least a second
/// (resolv.conf(5); `send_dg` in resolv/res_send.c). By the next look-up it has forgotten who was
/// silent.
struct StubFailover: Hashable, Sendable {
    var timeout: Int
    var attempts: Int
    var servers: Int

    /// What holds without a line `options` (RES_TIMEOUT and RES_DFLRETRY in resolv.h).
    static func standard(servers: Int) -> StubFailover {
        StubFailover(timeout: 5, attempts: 2, servers: servers)
    }

    /// The shortest that gives up on no answer as slow as `slowest`, in milliseconds, but at most
    /// what holds anyway.
    init(servers: Int, slowest: Double) {
        let standard = Self.standard(servers: servers)
        let seconds = slowest.isFinite ? (max(0, slowest) / 1000).rounded(.down) + 1 : .infinity
        timeout = Int(min(seconds, Double(standard.timeout)))
        attempts = standard.attempts
        self.servers = servers
    }

    private init(timeout: Int, attempts: Int, servers: Int) {
        self.timeout = timeout
        self.attempts = attempts
        self.servers = servers
    }

    /// The line of resolv.conf.
    var option: String { "options timeout:\(timeout) attempts:\(attempts)" }

    /// How long a server may take, counted from 0.
    private func patience(with server: Int) -> Int {
        server == 0 ? timeout : max(1, (timeout << server) / servers)
    }

    /// Until the second server is asked where the first is silent: at every look-up.
    var wait: Int { patience(with: 0) }

    /// Until a look-up fails where all are silent.
    var surrender: Int {
        attempts * (0..<servers).reduce(0) { $0 + patience(with: $1) }
    }
}
