import Foundation
import Servers
import Testing

/// A disk in memory that a test may fill, or make read-only.
struct SmallDisk {
    let path: String

    /// Whether this machine allows the tests to mount a disk.
    static var isPermitted: Bool {
        get async {
            guard geteuid() == 0 else { return false }
            return (try? await with(kilobytes: 64) { _ in }) != nil
        }
    }

    /// Mounts a disk of `kilobytes` KiB while `body` runs.
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

    /// Runs `body` with a read-only view of `folder`.
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

    /// Makes the disk read-only.
    func makeReadOnly() async throws {
        let mount = try await Program("mount", package: "mount").run(["-o", "remount,ro", path])
        #expect(mount.code == 0)
    }

    /// Fills the free space of the disk.
    func fill() throws {
        let descriptor = unsafe open(file("filler"), O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 7, count: 4096)
        while unsafe write(descriptor, page, page.count) > 0 {}
    }
}
