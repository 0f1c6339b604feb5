import Foundation
import Servers
import Testing

#if os(Linux)
/// A store that another user may read but not write.
@Suite(.enabled(if: geteuid() == 0, "reading as another user needs root"))
struct StoreReadersTests {
    private func asNobody(_ program: Program, _ arguments: [String]) async throws -> CommandOutput {
        try await Program("setpriv", package: "util-linux").run(
            ["--reuid=65534", "--regid=65534", "--clear-groups", program.path] + arguments,
            environment: Binary.environment(home: "/nonexistent"),
            in: "/"
        )
    }

    /// Reports as another user on a store in a folder with these permissions. Also returns the files that the
    /// report left in the folder. The result is `nil` if that user may not run the program.
    private func report(permissions: Int) async throws -> (run: CommandOutput, left: Set<String>)? {
        let program = try Program.dnstempo()
        guard try await asNobody(program, ["--version"]).code == 0 else { return nil }
        let folder = TemporaryFolder()
        let store = folder.file("s.sqlite")
        try await Binary.succeed(["sample", "--lab", "meadow", "--store", store])
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.path)
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
        let files = Set(try manager.contentsOfDirectory(atPath: folder.path))
        let run = try await asNobody(program, ["report", "--store", store])
        let left = Set(try manager.contentsOfDirectory(atPath: folder.path)).subtracting(files)
        return (run, left)
    }

    @Test(arguments: [0o755, 0o777])
    func `another user reads a closed store without leaving files`(permissions: Int) async throws {
        guard let (run, left) = try await report(permissions: permissions) else { return }
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("meadow"))
        #expect(left.isEmpty)
    }
}

/// File systems without a feature that SQLite needs.
@Suite struct StoreFileSystemTests {
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        static int is_lock(int command) {
            return command == F_SETLK || command == F_SETLKW || command == F_GETLK;
        }
        static int control(const char *name, int descriptor, int command, void *argument) {
            if (getenv("NO_LOCKS") && is_lock(command)) { errno = ENOLCK; return -1; }
            return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, name))(descriptor, command, argument);
        }
        #define CONTROL(name) \\
            int name(int descriptor, int command, ...) { \\
                va_list list; \\
                va_start(list, command); \\
                void *argument = va_arg(list, void *); \\
                va_end(list); \\
                return control(#name, descriptor, command, argument); \\
            }
        CONTROL(fcntl)
        CONTROL(fcntl64)
        #define MAP(name) \\
            void *name(void *at, size_t size, int access, int flags, int file, off_t offset) { \\
                if (getenv("NO_MAPS") && file >= 0 && flags & MAP_SHARED) { \\
                    errno = ENODEV; \\
                    return MAP_FAILED; \\
                } \\
                return ((void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, #name))( \\
                    at, size, access, flags, file, offset); \\
            }
        MAP(mmap)
        MAP(mmap64)
        """

    @Test(arguments: [
        ("NO_LOCKS", "file locks (No locks available)"),
        ("NO_MAPS", "shared memory maps (No such device)"),
    ])
    func `a missing file system feature is named`(variable: String, missing: String) async throws {
        let folder = TemporaryFolder()
        let library = try await folder.compileLibrary(Self.source)
        let store = folder.file("s.sqlite")
        let arguments = ["sample", "--lab", "meadow", "--no-check", "--store", store]
        let environment = ["LD_PRELOAD": library, variable: "1"]
        let line =
            "dnstempo: the file system under the store '\(store)' has no \(missing), which a store"
            + " needs: name a store on another disk with --store\n"
        let run = try await Binary.run(arguments, environment: environment)
        #expect(run.code == 73)
        #expect(run.errors == line)
        #expect(try await Binary.run(arguments).code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.contains("trial") }, "\(left)")
    }
}
#endif
