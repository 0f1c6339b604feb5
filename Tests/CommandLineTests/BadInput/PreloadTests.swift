import Servers
import Testing

#if os(Linux)
/// Preloaded libraries that change the process before `main` begins.
@Suite struct PreloadTests {
    /// A library that sets an environment variable. This moves the environment in memory away from the
    /// arguments. The library allows at most THREADS new threads.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <pthread.h>
        #include <stdlib.h>
        static long left = -1;
        __attribute__((constructor)) static void begin(void) {
            const char *threads = getenv("THREADS");
            if (threads) left = atol(threads);
            setenv("PRELOADED", "1", 1);
        }
        int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                           void *(*body)(void *), void *context) {
            static int (*make)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
            if (left >= 0 && __atomic_fetch_sub(&left, 1, __ATOMIC_SEQ_CST) <= 0) return EAGAIN;
            if (!make) make = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
                dlsym(RTLD_NEXT, "pthread_create");
            return make(thread, attributes, body, context);
        }
        """

    private func run(_ arguments: [String], threads: Int? = nil) async throws -> CommandOutput {
        let folder = TemporaryFolder()
        let library = try await folder.compileLibrary(Self.source)
        var environment = ["LD_PRELOAD": library]
        if let threads { environment["THREADS"] = "\(threads)" }
        return try await Binary.run(arguments, environment: environment)
    }

    @Test func `a library that sets a variable does not change the arguments`() async throws {
        let run = try await run(["resolvers", "show", "quad9"])
        #expect(run.code == 0 && run.errors == "", "\(run.errors)")
        #expect(run.output.hasPrefix("name"))
        #expect(try await self.run(["resolver"]).code == 64)
    }

    private static let lab = [
        "compare", "--lab", "--rounds", "1", "-d", "example.com", "--no-live", "-q",
    ]

    @Test(arguments: [0, 1, 2, 3, 6])
    func `too few threads are reported in one line before any output`(threads: Int) async throws {
        for command in [["resolvers", "list"], Self.lab] {
            let run = try await run(command, threads: threads)
            #expect(run.code == 71 && run.output == "")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(run.errors.hasPrefix("dnstempo: too few threads may run at once: allow "))
        }
    }

    @Test func `the requested number of threads suffices`() async throws {
        let refused = try await run(Self.lab, threads: 0)
        let number = try #require(refused.errors.split(separator: " ").compactMap { Int($0) }.first)
        // The program creates the threads twice: first as a test, and then to use them.
        let run = try await run(Self.lab, threads: 2 * number)
        #expect(run.code == 0, "\(run.errors)")
    }
}

extension TemporaryFolder {
    /// Compiles C source into a library for LD_PRELOAD. Returns the path of the library.
    func compileLibrary(_ source: String) async throws -> String {
        let file = try write(source, to: "preload.c")
        let library = self.file("preload.so")
        let made = try await Program("cc", package: "gcc")
            .run(["-shared", "-fPIC", "-o", library, file, "-ldl"], in: path)
        try #require(made.code == 0, "\(made.errors)")
        return library
    }
}
#endif
