package import Catalogue
package import Failures
import NIOCore
import NIOHTTP1
import NIOPosix
import Reports
package import Samples
package import Statistics

/// Pages over a store, for a browser on this machine.
package struct Dashboard: Sendable {
    private let settings: DashboardSettings
    private let store: StoreHandle
    private let pages: PageCache
    private let events: EventBroadcaster

    /// `open` opens the store, and again where what `watch` gives tells that another is in its place.
    package init(
        _ settings: DashboardSettings,
        watch: @escaping @Sendable () throws -> any StoreWatching,
        open: @escaping @Sendable () throws -> ServedStore
    ) throws {
        self.settings = settings
        store = try StoreHandle(now: settings.now, watch: watch, open: open)
        pages = PageCache(store, settings)
        events = EventBroadcaster(edition: store.snapshot().edition)
    }

    /// Serves until the task is cancelled; `begin` is told the address once it can be asked.
    package func run(_ begin: @escaping @Sendable (String) async -> Void) async throws {
        let connections = OpenConnections()
        let listener = try await listen(connections)
        await begin(settings.url(port: listener.channel.localAddress?.port))
        // A task that is cancelled would leave connections behind that nobody takes.
        let server = Task { try await serve(listener) }
        await follow()
        pages.end()
        listener.channel.close(promise: nil)
        connections.end()
        // Whoever still reads slowly at the end is not waited for.
        let limit = listener.channel.eventLoop.scheduleTask(in: RequestLimits.farewell) {
            connections.closeAll()
        }
        defer { limit.cancel() }
        try await server.value
    }

    /// One thread for all connections, which sees them in their order; pages are rendered elsewhere.
    private static let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private func listen(
        _ connections: OpenConnections
    ) async throws -> NIOAsyncChannel<HTTPConnection, Never> {
        do {
            return try await ServerBootstrap(group: Self.loop)
                .serverChannelOption(.backlog, value: RequestLimits.waitingConnections)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(host: settings.address.description, port: Int(settings.port)) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try HTTPConnection(channel, among: connections)
                    }
                }
        } catch {
            throw settings.failure(of: error)
        }
    }

    private func serve(_ listener: NIOAsyncChannel<HTTPConnection, Never>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await listener.executeThenClose { inbound in
                var count = 0
                for try await connection in inbound {
                    if count == RequestLimits.connections {
                        try await group.next()
                    } else {
                        count += 1
                    }
                    group.addTask { await connection.serve(self) }
                }
            }
        }
    }

    /// Lets a request in, and has it answered.
    func reply(to request: HTTPRequestHead, at place: AccessMiddleware.Place?) async -> Reply {
        let target = RequestTarget(request.uri)
        switch AccessMiddleware(token: settings.token).check(request, at: place) {
        case .success(.free) where target.path == "/events":
            // Who asks for the head alone is no reader.
            if request.method == .HEAD { return .events(nil) }
            return events.subscribe().map { .events($0) } ?? .busy(target)
        case .success(.free): return await pages.reply(to: target)
        case .success(.tokenInAddress): return .withoutToken(target, settings.token, place)
        case .failure(let refusal): return .refusal(refusal)
        }
    }

    /// Looks for new rounds, and tells who looks on; where pages take long, less often.
    private func follow() async {
        let clock = ContinuousClock()
        var told = (edition: store.snapshot().edition, at: clock.now)
        while !Task.isCancelled {
            try? await clock.sleep(for: .milliseconds(500))
            let edition = store.snapshot().edition
            let rest = pages.lastRendering * 5
            guard edition != told.edition, told.at.duration(to: clock.now) > rest else { continue }
            told = (edition, clock.now)
            events.announce(edition)
        }
        events.close()
    }
}

extension DashboardSettings {
    /// The address of the first page; with the token, where there is one.
    fileprivate func url(port bound: Int?) -> String {
        // All addresses are none to go to; of this machine's, this one is always there.
        let isAny = address.octets.allSatisfy { $0 == 0 }
        let host =
            switch address.family {
            case .v4: isAny ? "127.0.0.1" : "\(address)"
            case .v6: isAny ? "[::1]" : "[\(address)]"
            }
        let query = token.map { "?token=\($0.text)" } ?? ""
        return "http://\(host):\(bound ?? Int(port))/\(query)"
    }

    fileprivate func failure(of error: any Error) -> DashboardError {
        guard let error = error as? IOError else {
            return DashboardError(description: "cannot serve: \(error)")
        }
        let place = "\(address) port \(port)"
        let reason =
            switch error.errnoCode {
            case EADDRINUSE: "is in use by another program; choose another with --port"
            case EADDRNOTAVAIL: "is not an address of this machine; choose another with --listen"
            case EACCES: "may not be used without more rights; choose a --port above 1023"
            default: "cannot be listened on: \(error)"
            }
        return DashboardError(description: "\(place) \(reason)")
    }
}

/// Why a dashboard cannot be served: one line that says what to do.
package struct DashboardError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus { .cannotCreate }
    package var description: String
}

/// A dashboard's place, who may look, and whose figures it shows.
package struct DashboardSettings: Sendable {
    package static let usualPort: UInt16 = 8053

    package var address: IPAddress
    /// 0 is any that is free.
    package var port = Self.usualPort
    /// `nil` where everybody who reaches the address may look.
    package var token: AccessToken?
    package var toolVersion: String
    /// The label of the resolver that is in use; `nil` where it is not known.
    package var inUse: String?
    /// The label of the resolver that another is compared with where nobody chose; `nil` for the one in
    /// use.
    package var baseline: String?
    /// The objective that the first page and the metrics tell of.
    package var objective: ServiceObjective?
    /// The wall clock.
    package var now: @Sendable () -> Timestamp

    package init(
        address: IPAddress,
        toolVersion: String,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.address = address
        self.toolVersion = toolVersion
        self.now = now
    }
}
