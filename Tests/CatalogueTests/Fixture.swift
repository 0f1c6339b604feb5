import Foundation

@testable import Catalogue

/// Files of a machine's settings, one folder a machine, beside this file.
enum Fixture {
    /// The folder of the project.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
            .path(percentEncoded: false)
    }

    static func system(_ folder: String) throws -> SystemResolvers {
        var files = SystemResolvers.Files()
        files.resolverConfiguration = path("\(folder)/resolv.conf")
        files.stubUpstreams = path("\(folder)/upstreams.conf")
        files.routes = path("\(folder)/route")
        files.routes6 = path("\(folder)/ipv6_route")
        return SystemResolvers(files: files)
    }
}
