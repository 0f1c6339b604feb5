package import Catalogue
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Reports
package import Samples
import ServiceLifecycle

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Pages over a store, for a browser on this machine.
package struct Dashboard: Sendable {
    private let settings: DashboardSettings
    private let archive: Archive
    private let workshop: Workshop
    private let bulletin = Bulletin()

    /// `open` opens what the pages are about, the store at `path`; again where another was put
    /// in its place.
    package init(
        _ settings: DashboardSettings,
        of path: String,
        open: @escaping @Sendable () throws -> any SampleSource
    ) throws {
        self.settings = settings
        archive = try Archive(path, open: open)
        workshop = Workshop(archive, maker: DocumentMaker(settings: settings))
    }

    /// Serves until the task is cancelled; `begin` is told the address once it can be asked and has
    /// its first page.
    package func run(_ begin: @escaping @Sendable (String) async -> Void) async throws {
        let server = ServiceGroup(
            configuration: Self.lifecycle([.init(service: application(begin))])
        )
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
        let responder = Responder(
            gatekeeper: Gatekeeper(token: settings.token),
            routes: Routes(workshop: workshop, bulletin: bulletin)
        )
        return Application(
            responder: responder,
            server: Self.server,
            configuration: configuration,
            onServerRunning: { [settings, workshop] channel in
                // Whoever opens the address first is not to wait.
                if let first = Document(RequestTarget("/")) {
                    _ = await workshop.reply(to: first)
                }
                await begin(settings.url(port: channel.localAddress?.port))
            },
            logger: Self.silent
        )
    }

    /// Whoever still reads slowly at the end is not waited for.
    private static func lifecycle(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration]
    ) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(services: services, logger: silent)
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        return configuration
    }

    /// Looks for new rounds, has what was asked for lately computed anew, and tells who looks on.
    private func follow() async {
        let clock = ContinuousClock()
        var told = (edition: archive.edition, at: clock.now)
        var isPreparing = false
        while !Task.isCancelled {
            // In between, whoever asks goes first.
            try? await clock.sleep(for: .milliseconds(isPreparing ? 20 : 500))
            archive.look()
            // Figures of the last hour change without new rounds too.
            let isOld = told.at.duration(to: clock.now) > Workshop.age
            let edition = archive.edition
            let (made, behind) = await workshop.refresh(all: isOld)
            isPreparing = await workshop.prepare()
            guard isOld || made > 0 || edition != told.edition && behind == 0 else { continue }
            told = (edition, clock.now)
            bulletin.announce(edition)
        }
        bulletin.close()
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
                    IdleStateHandler(writeTimeout: RequestLimits.answerTime), StalledAnswer(),
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

    /// What there is to say is said by the pages and by the command.
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
            return DashboardError(kind: .address, description: "cannot serve: \(error)")
        }
        let place = "\(address) port \(port)"
        let reason =
            switch error.errnoCode {
            case EADDRINUSE: "is in use by another program; choose another with --port"
            case EADDRNOTAVAIL: "is not an address of this machine; choose another with --listen"
            case EACCES: "may not be used without more rights; choose a --port above 1023"
            default: "cannot be listened on: \(error)"
            }
        return DashboardError(kind: .address, description: "\(place) \(reason)")
    }
}

/// Why a dashboard cannot be served: one line that says what to do.
package struct DashboardError: Error, Hashable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The address or the port cannot be had.
        case address
        /// The store cannot be read.
        case store
    }

    package var kind: Kind
    package var description: String
}

/// Where a dashboard listens, who may look, and whose figures it shows.
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
