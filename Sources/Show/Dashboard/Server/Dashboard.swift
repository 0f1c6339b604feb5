package import Catalogue
import Failures
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

    /// `open` opens the store. It is called again when the watcher from `watch` reports that the store was
    /// replaced.
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

    /// Serves until the task is cancelled. Calls `begin` with the address as soon as the server accepts
    /// requests.
    package func run(_ begin: @escaping @Sendable (String) async -> Void) async throws {
        let connections = OpenConnections()
        let listener = try await listen(connections)
        await begin(settings.url(port: listener.channel.localAddress?.port))
        // Cancelling the task would leave accepted connections without a handler.
        let server = Task { try await serve(listener) }
        await follow()
        pages.end()
        listener.channel.close(promise: nil)
        connections.end()
        // The server does not wait for slow readers at the end.
        let limit = listener.channel.eventLoop.scheduleTask(in: RequestLimits.farewell) {
            connections.closeAll()
        }
        defer { limit.cancel() }
        try await server.value
    }

    /// One thread for all connections, which keeps their order. Pages are rendered on another thread.
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

    /// Checks access for a request, and returns the reply.
    func reply(to request: HTTPRequestHead, at place: AccessMiddleware.Place?) async -> Reply {
        let target = RequestTarget(request.uri)
        switch AccessMiddleware(token: settings.token, hosts: settings.hosts)
            .check(request, at: place)
        {
        case .success(.free) where target.path == "/events":
            // A client that requests only the head is not a reader of events.
            if request.method == .HEAD { return .events(nil) }
            return events.subscribe().map { .events($0) } ?? .busy(target)
        case .success(.free): return await pages.reply(to: target)
        case .success(.tokenInAddress): return .withoutToken(target, settings.token, place)
        case .failure(let refusal): return .refusal(refusal)
        }
    }

    /// Checks for new rounds and notifies the readers. The checks are less frequent if pages take long.
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
    /// The address of the first page. It includes the token, if there is one.
    fileprivate func url(port bound: Int?) -> String {
        // A browser cannot open the unspecified address. The loopback address of this machine always works.
        let isAny = address.bytes.allSatisfy { $0 == 0 }
        let host =
            switch address.family {
            case .v4: isAny ? "127.0.0.1" : address.bracketed
            case .v6: isAny ? "[::1]" : address.bracketed
            }
        let query = token.map { "?token=\($0.text)" } ?? ""
        return "http://\(host):\(bound ?? Int(port))/\(query)"
    }

    fileprivate func failure(of error: any Error) -> Failure {
        guard let error = error as? IOError else {
            return Failure(.cannotCreate, "cannot serve: \(error)")
        }
        return .listening(at: "\(address) port \(port)", error, error.errnoCode)
    }
}

/// The dashboard's address, its access rules, and the options of its figures.
package struct DashboardSettings: Sendable {
    package static let usualPort: UInt16 = 8053

    package var address: IPAddress
    /// The port. 0 selects any free port.
    package var port = Self.usualPort
    /// The required token. `nil` gives access to every client that reaches the address.
    package var token: AccessToken?
    /// The names, with their ports and in lower case, by which requests may call the server besides its
    /// address.
    package var hosts: Set<String> = []
    package var toolVersion: String
    /// The label of the resolver in use. `nil` if it is unknown.
    package var inUse: String?
    /// The label of the default baseline. `nil` selects the resolver in use.
    package var baseline: String?
    /// The objective that the first page and the metrics report.
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
