package import Catalogue
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Reports
package import Samples
import ServiceLifecycle
import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Pages over a store, for a browser on this machine.
package struct Dashboard: Sendable {
    private let settings: DashboardSettings
    private let store: StoreHandle
    private let pages: PageCache
    private let events = EventBroadcaster()

    /// `open` opens the store at `path`; again where another was put in its place.
    package init(
        _ settings: DashboardSettings,
        of path: String,
        open: @escaping @Sendable () throws -> ServedStore
    ) throws {
        self.settings = settings
        store = try StoreHandle(path, now: settings.now, open: open)
        pages = PageCache(store, settings)
    }

    /// Serves until the task is cancelled; `begin` is told the address once it can be asked.
    package func run(_ begin: @escaping @Sendable (String) async -> Void) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: application(begin))],
            logger: Self.silent
        )
        // Whoever still reads slowly at the end is not waited for.
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let server = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // A task that is cancelled would leave connections behind that nobody takes.
                do { try await Task { try await server.run() }.value } catch {
                    throw settings.failure(of: error)
                }
            }
            group.addTask {
                await follow()
                await server.triggerGracefulShutdown()
            }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func application(
        _ begin: @escaping @Sendable (String) async -> Void
    ) -> some ApplicationProtocol {
        Application(
            responder: Responder(
                access: AccessMiddleware(token: settings.token),
                pages: pages,
                events: events
            ),
            server: Self.server,
            configuration: configuration,
            onServerRunning: { [settings] channel in
                await begin(settings.url(port: channel.localAddress?.port))
            },
            logger: Self.silent
        )
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

    private var configuration: ApplicationConfiguration {
        ApplicationConfiguration(
            address: .hostname(settings.address.description, port: Int(settings.port)),
            backlog: RequestLimits.waitingConnections,
            availableConnectionsDelegate: MaximumAvailableConnections(
                RequestLimits.connections,
                logger: Self.silent
            )
        )
    }

    private static var server: HTTPServerBuilder {
        let connections = OpenConnections()
        return .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    IdleStateHandler(writeTimeout: RequestLimits.answerTime),
                    ConnectionRecord(in: connections), BodyRefusal(),
                ],
                idleTimeout: RequestLimits.headTime,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: RequestLimits.headSize,
                    maxHeaderListSize: RequestLimits.headSize,
                    maxHeaderFieldCount: RequestLimits.headerFields
                )
            )
        )
    }

    /// Logger that says nothing: the pages and the command do.
    private static var silent: Logger {
        Logger(label: "dnstempo") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension DashboardSettings {
    /// The address of the first page; with the token, where there is one.
    fileprivate func url(port bound: Int?) -> String {
        let host = address.family == .v6 ? "[\(address)]" : "\(address)"
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
package struct DashboardError: Error, Hashable, CustomStringConvertible {
    package var description: String
}

/// A dashboard's place, who may look, and whose figures it shows.
package struct DashboardSettings: Sendable {
    package static let usualPort: UInt16 = 8053

    package var address: IPAddress
    /// 0 is any that is free.
    package var port: UInt16
    /// `nil` where everybody who reaches the address may look.
    package var token: AccessToken?
    package var toolVersion: String
    /// The label of the resolver that is in use; `nil` where it is not known.
    package var inUse: String?
    /// The wall clock.
    package var now: @Sendable () -> Timestamp

    package init(
        address: IPAddress,
        port: UInt16 = Self.usualPort,
        token: AccessToken? = nil,
        toolVersion: String,
        inUse: String? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.address = address
        self.port = port
        self.token = token
        self.toolVersion = toolVersion
        self.inUse = inUse
        self.now = now
    }
}
