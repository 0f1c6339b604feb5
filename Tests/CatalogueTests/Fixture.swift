import Foundation

@testable import Catalogue

/// Settings files of test machines. The folder next to this file contains one folder per machine.
enum Fixture {
    /// The root folder of the project.
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
        return SystemResolvers(files: files) { _ in true }
    }

    /// Returns a machine with this resolv.conf and one interface. Its remarks contain the path
    /// `resolv.conf`.
    static func system(
        configuration: String,
        interface: String
    ) throws -> (system: SystemResolvers, remarks: [String]) {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "dnstempo-\(UUID().uuidString)")
        try Data(configuration.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let path = file.path(percentEncoded: false)
        var files = SystemResolvers.Files()
        files.resolverConfiguration = path
        (files.stubUpstreams, files.routes, files.routes6) = (nil, nil, nil)
        let system = SystemResolvers(files: files) { $0 == interface }
        return (system, system.remarks.map { $0.replacing(path, with: "resolv.conf") })
    }
}
