import Failures
import Files
import Foundation
import Testing

final class OutputFilesTests {
    /// The directory of one test.
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "dnstempo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `all files are written, and no other files remain`() throws {
        try OutputFiles.write([
            (path("a.csv"), bytes("one")),
            (path("b.json"), bytes(String(repeating: "x", count: 1 << 20))),
        ])
        #expect(try content("a.csv") == "one")
        #expect(try content("b.json").count == 1 << 20)
        #expect(try names() == ["a.csv", "b.json"])
    }

    @Test func `a replaced file keeps its permissions`() throws {
        try "old".write(toFile: path("a.csv"), atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640],
            ofItemAtPath: path("a.csv")
        )
        try OutputFiles.write([(path("a.csv"), bytes("new"))])
        #expect(try mode("a.csv") == 0o640)
        #expect(try content("a.csv") == "new")
    }

    @Test func `a new file has the usual permissions`() throws {
        #expect(FileManager.default.createFile(atPath: path("usual"), contents: nil))
        try OutputFiles.write([(path("a.csv"), bytes("new"))])
        #expect(try mode("a.csv") == mode("usual"))
    }

    @Test(arguments: ["missing/b.csv", "directory", "file/b.csv", "directory/", "dangling"])
    func `if one file cannot be written, no file is changed`(second: String) throws {
        try "old".write(toFile: path("a.csv"), atomically: false, encoding: .utf8)
        try "old".write(toFile: path("file"), atomically: false, encoding: .utf8)
        try FileManager.default.createDirectory(
            atPath: path("directory"),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: path("dangling"),
            withDestinationPath: path("nowhere")
        )
        let before = try names()
        let target = folder.path + "/" + second
        #expect(throws: Failure.self) { try OutputFiles.check([path("a.csv"), target]) }
        let error = #expect(throws: Failure.self) {
            try OutputFiles.write([(path("a.csv"), bytes("new")), (target, bytes("new"))])
        }
        #expect(error?.description.contains("'\(target)'") == true)
        #expect(error?.status == .cannotCreate)
        #expect(try content("a.csv") == "old")
        #expect(try names() == before)
    }

    #if os(Linux)
    @Test func `if writing fails, no file is replaced`() throws {
        try "old".write(toFile: path("a.csv"), atomically: false, encoding: .utf8)
        #expect(throws: Failure.self) {
            try OutputFiles.write([(path("a.csv"), bytes("new")), ("/dev/full", bytes("new"))])
        }
        #expect(try content("a.csv") == "old")
        #expect(try names() == ["a.csv"])
    }

    @Test func `the check rejects a directory in which no file can be created`() throws {
        let error = #expect(throws: Failure.self) {
            try OutputFiles.check([path("a.csv"), "/proc/self/b.csv"])
        }
        #expect(error?.description.contains("'/proc/self/b.csv'") == true)
        #expect(try names().isEmpty)
    }
    #endif

    @Test func `if the last step fails, the earlier steps are undone`() throws {
        try "old".write(toFile: path("a.csv"), atomically: false, encoding: .utf8)
        let staged = try StagedFiles(["a.csv", "b.csv", "c.csv"].map(path))
        for index in 0..<3 { try staged.append(bytes("new"), to: index) }
        // A directory at this path appears after the check.
        try FileManager.default.createDirectory(
            atPath: path("c.csv"),
            withIntermediateDirectories: false
        )
        #expect(throws: Failure.self) { try staged.commit() }
        #expect(try content("a.csv") == "old")
        #expect(!FileManager.default.fileExists(atPath: path("b.csv")))
    }

    @Test func `the check changes no files`() throws {
        try "old".write(toFile: path("a.csv"), atomically: false, encoding: .utf8)
        try OutputFiles.check([path("a.csv"), path("b.csv"), "/dev/null"])
        #expect(try content("a.csv") == "old")
        #expect(try names() == ["a.csv"])
    }

    @Test func `a symbolic link remains, and its target is replaced`() throws {
        try "old".write(toFile: path("target.csv"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: path("link.csv"),
            withDestinationPath: "target.csv"
        )
        try OutputFiles.write([(path("link.csv"), bytes("new"))])
        #expect(try content("target.csv") == "new")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: path("link.csv"))
        #expect(target == "target.csv")
    }

    @Test func `two outputs to one file are rejected`() throws {
        try "old".write(toFile: path("a.csv"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: path("link.csv"),
            withDestinationPath: "a.csv"
        )
        let pairs = [
            [path("b.csv"), folder.path + "/./b.csv"], [path("a.csv"), path("link.csv")],
        ]
        for pair in pairs {
            let error = #expect(throws: Failure.self) { try OutputFiles.check(pair) }
            #expect(error?.status == .usage)
        }
    }
}
