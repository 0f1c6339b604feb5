import Foundation
import Servers
import Testing

/// A disk in memory that a test may fill, or make read-only.
struct SmallDisk {
    let path: String

    /// Whether this machine lets the tests mount one.
    static var isPermitted: Bool {
        get async {
            guard geteuid() == 0 else { return false }
            return (try? await with(kilobytes: 64) { _ in }) != nil
        }
    }

    /// Mounts one for as long as `body` takes.
    static func with<Value>(
        kilobytes: Int,
        _ body: (SmallDisk) async throws -> Value
    ) async throws -> Value {
        let folder = TemporaryFolder()
        let mount = try await Program("mount", package: "mount")
            .run(["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
        guard mount.code == 0 else { throw CocoaError(.fileWriteNoPermission) }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(SmallDisk(path: folder.path)))
        } catch {
            result = .failure(error)
        }
        _ = try await Program("umount", package: "mount").run([folder.path])
        return try result.get()
    }

    /// Runs `body` with a view of `folder` in which nothing can be written.
    static func withView<Value>(
        of folder: String,
        _ body: (SmallDisk) async throws -> Value
    ) async throws -> Value {
        try await with(kilobytes: 64) { disk in
            let place = disk.file("view")
            try FileManager.default.createDirectory(
                atPath: place,
                withIntermediateDirectories: false
            )
            for options in [["--bind", folder], ["-o", "remount,bind,ro"]] {
                let mount = try await Program("mount", package: "mount").run(options + [place])
                #expect(mount.code == 0, "\(mount.errors)")
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(SmallDisk(path: place)))
            } catch {
                result = .failure(error)
            }
            _ = try await Program("umount", package: "mount").run([place])
            return try result.get()
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Lets nothing more be written.
    func makeReadOnly() async throws {
        let mount = try await Program("mount", package: "mount").run(["-o", "remount,ro", path])
        #expect(mount.code == 0)
    }

    /// Takes all the space that is left.
    func fill() throws {
        let descriptor = unsafe open(file("filler"), O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 7, count: 4096)
        while unsafe write(descriptor, page, page.count) > 0 {}
    }
}
