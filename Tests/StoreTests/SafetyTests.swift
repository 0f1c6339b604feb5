import Failures
import Fixtures
import LibC
import SQLite
import Samples
import Testing

@testable import Store

struct SafetyTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    private static func isRoot() -> Bool { getuid() == 0 }

    /// Returns the bytes of a new store. `changes` replaces bytes by their offset.
    private static func header(_ changes: [Int: UInt8]) throws -> [UInt8] {
        let folder = TemporaryFolder()
        _ = try Store(path: folder.file("store.sqlite"))
        var bytes = try File.read(folder.file("store.sqlite"))
        for (offset, octet) in changes { bytes[offset] = octet }
        return bytes
    }

    private static func other(_ sql: String) throws -> [UInt8] {
        let folder = TemporaryFolder()
        try OtherProgram.run(sql, on: folder.file("other.sqlite"))
        return try File.read(folder.file("other.sqlite"))
    }

    @Test(arguments: [
        ("text", "is not a store of dnstempo"), ("empty", "is not a store of dnstempo"),
        ("database", "is not a store of dnstempo"), ("newer", "was made by a newer dnstempo"),
        ("page size", "is damaged"), ("cut", "is damaged"), ("version 0", "is damaged"),
    ])
    func `an unusable store file is rejected and unchanged`(what: String, reason: String) throws {
        var bytes: [UInt8] = []
        switch what {
        case "text": bytes = Array("SQLite format 3 is what this file is about".utf8)
        case "database": bytes = try Self.other("CREATE TABLE a (b)")
        case "newer": bytes = try Self.header([63: 99])
        case "page size": bytes = try Self.header([16: 7])
        case "version 0": bytes = try Self.header([63: 0])
        case "cut": bytes = Array(try Self.header([:]).dropLast(4096))
        default: break
        }
        try File.write(bytes, to: path)
        for access in [Store.Access.readWrite, .readOnly] {
            let error = #expect(throws: StoreError.self) {
                try Store(path: path, access: access)
            }
            #expect(error?.status == .badData)
            #expect(error?.description.contains(reason) == true)
            #expect(error?.description.contains(path) == true)
            #expect(error?.description.contains("\n") == false)
        }
        #expect(try File.read(path) == bytes)
        #expect(folder.names == ["store.sqlite"])
    }

    @Test func `a reader does not create a missing store`() {
        let error = #expect(throws: StoreError.self) {
            try Store(path: path, access: .readOnly)
        }
        #expect(error?.status == .noInput)
        #expect(folder.names.isEmpty)
    }

    @Test func `only the draft of a killed process is removed`() throws {
        // No process has such a high number.
        let names = ["new-2000000000", "new-2000000000-journal", "new-\(getppid())", "new-x"]
        for name in names { try File.write([1], to: "\(path).\(name)") }
        _ = try Store(path: path)
        let left = folder.names.filter { $0.contains(".new-") }
        #expect(left == ["store.sqlite.new-\(getppid())", "store.sqlite.new-x"])
    }

    /// After some errors, such as a failed read, SQLite rolls back the transaction itself. A check goes on then.
    @Test func `only a transaction that writes must not have ended before its end`() throws {
        let queue = try DatabaseQueue()
        #expect(
            try queue.read { database in
                try database.execute("ROLLBACK")
                return try database.count("SELECT 7")
            } == 7
        )
        #expect(throws: DatabaseError.self) { try queue.write { try $0.execute("ROLLBACK") } }
    }

    @Test func `a folder instead of a store is an error`() {
        #expect(throws: StoreError.self) { try Store(path: folder.path) }
    }

    #if os(Linux)
    @Test func `the error for a folder that cannot be created gives the reason`() throws {
        let error = #expect(throws: StoreError.self) {
            try Store(path: "/sys/dnstempo/store.sqlite")
        }
        #expect(error?.status == .cannotCreate)
        #expect(error?.description.hasPrefix("cannot make the folder '/sys/dnstempo'") == true)
        #expect(error?.description.contains("No such file") == false)
    }
    #endif

    @Test func `a copy of the files contains every announced round`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        for number in 1...12 {
            try simulation.append(
                simulation.round(number, at: Simulation.start.advanced(by: .seconds(300 * number))),
                to: store
            )
            let copy = TemporaryFolder()
            for name in folder.names where !name.hasSuffix("-shm") {
                try File.write(try File.read(folder.file(name)), to: copy.file(name))
            }
            let again = try Store(path: copy.file("store.sqlite"))
            #expect(try again.rounds().map(\.round.number) == Array(1...Int32(number)))
            #expect(try again.check().findings == [])
        }
    }

    @Test func `a truncated log loses only the unfinished round`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        _ = try simulation.fill(store, run: "r", rounds: 3)
        let announced = try File.read(path + "-wal").count
        _ = try simulation.fill(store, run: "more", rounds: 1)
        let log = try File.read(path + "-wal")
        for size in stride(from: announced, to: log.count, by: 1500) {
            let copy = TemporaryFolder()
            try File.write(try File.read(path), to: copy.file("store.sqlite"))
            try File.write(Array(log[..<size]), to: copy.file("store.sqlite-wal"))
            let again = try Store(path: copy.file("store.sqlite"))
            #expect(try again.rounds().count == 3)
            #expect(try again.check().findings == [])
        }
    }

    @Test func `writers wait for each other, and a reader waits for no writer`() async throws {
        let path = path
        let reader = try Store(path: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...2 {
                group.addTask {
                    var simulation = try Simulation(seed: UInt64(writer))
                    let store = try Store(path: path, durability: .off)
                    _ = try simulation.fill(store, run: "writer \(writer)", rounds: 50)
                }
            }
            group.addTask { for _ in 0..<50 { _ = try reader.recording() } }
            try await group.waitForAll()
        }
        #expect(try reader.info().rounds == 100)
        #expect(try reader.check().findings == [])
    }

    @Test func `a store is busy while another process writes to it`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path, patience: .zero)
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { try $0.execute("BEGIN IMMEDIATE") }
        let error = #expect(throws: StoreError.self) {
            _ = try simulation.fill(store, run: "r", rounds: 1)
        }
        #expect(error?.status == .busy)
        #expect(error?.description.contains(path) == true)
        #expect(try store.info().rounds == 0)
        try other.inDatabase { try $0.execute("ROLLBACK") }
        _ = try simulation.fill(store, run: "r", rounds: 1)
        #expect(try store.info().rounds == 1)
    }

    @Test(arguments: Store.Durability.allCases)
    func `the writer's durability is applied`(durability: Store.Durability) throws {
        var simulation = try Simulation()
        let store = try Store(path: path, durability: durability)
        _ = try simulation.fill(store, run: "r", rounds: 2)
        #expect(try store.info().durability == durability)
        let synchronous = try store.read { try $0.count("PRAGMA synchronous") }
        #expect(synchronous == [.full: 2, .normal: 1, .off: 0][durability])
    }

    @Test(.enabled(if: SafetyTests.isRoot()))
    func `a full disk is reported and keeps the stored rounds`() throws {
        let mount = folder.file("small")
        #expect(unsafe mkdir(mount, 0o700) == 0)
        try #require(unsafe system("mount -t tmpfs -o size=1m tmpfs '\(mount)'") == 0)
        defer {
            _ = unsafe system("umount '\(mount)'")
            unsafe rmdir(mount)
        }
        var simulation = try Simulation()
        let small = "\(mount)/store.sqlite"
        var announced: Int32 = 0
        do {
            let store = try Store(path: small)
            let error = #expect(throws: StoreError.self) {
                while announced < 5000 {
                    let start = Simulation.start.advanced(by: .seconds(300 * Int(announced)))
                    try simulation.append(
                        simulation.round(Int(announced) + 1, at: start),
                        to: store
                    )
                    announced += 1
                }
            }
            #expect(error?.status == .inputOutput)
            #expect(error?.description.hasPrefix("the disk is full") == true)
            #expect(try store.rounds().count == Int(announced))
        }
        #expect(announced > 10)
        for name in ["store.sqlite", "store.sqlite-wal"] {
            guard let bytes = try? File.read("\(mount)/\(name)") else { continue }
            try File.write(bytes, to: folder.file(name))
        }
        let again = try Store(path: path)
        #expect(try again.rounds().map(\.round.number) == Array(1...announced))
        #expect(try again.check().findings == [])
    }

    @Test(.enabled(if: SafetyTests.isRoot()))
    func `a store on a read-only disk can be read but not written`() throws {
        let mount = folder.file("disk")
        #expect(unsafe mkdir(mount, 0o700) == 0)
        try #require(unsafe system("mount -t tmpfs -o size=4m tmpfs '\(mount)'") == 0)
        defer {
            _ = unsafe system("umount '\(mount)'")
            unsafe rmdir(mount)
        }
        let disk = "\(mount)/a b%41?.sqlite"
        var simulation = try Simulation()
        do {
            let store = try Store(path: disk)
            _ = try simulation.fill(store, run: "r", rounds: 4)
        }
        try #require(unsafe system("mount -o remount,ro '\(mount)'") == 0)
        do {
            #expect(try Store(path: disk, access: .readOnly).info().rounds == 4)
        }
        let error = #expect(throws: StoreError.self) { try Store(path: disk) }
        #expect(error?.status == .cannotCreate)
        let missing = #expect(throws: StoreError.self) { try Store(path: "\(mount)/new.sqlite") }
        #expect(missing?.status == .cannotCreate)
        #expect(missing?.description.contains("\(mount)/new.sqlite") == true)
    }
}
