import Failures
import Foundation
import Testing

@testable import BrowserHistory

/// The folders in which browsers keep their profiles.
@Suite struct ProfileSearchTests {
    /// Creates an empty file at each path, each one minute newer than the file before it. Returns
    /// the databases that a search for `source` finds.
    private func found(
        _ source: String,
        _ paths: [String],
        configurations: String? = nil
    ) throws -> [String] {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("dnstempo-\(UUID())").path
        defer { try? files.removeItem(atPath: folder) }
        for (index, path) in paths.enumerated() {
            let file = URL(fileURLWithPath: "\(folder)/\(path)")
            try files.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data().write(to: file)
            let written = Date(timeIntervalSince1970: 1_700_000_000 + 60 * Double(index))
            try files.setAttributes([.modificationDate: written], ofItemAtPath: file.path)
        }
        let home = "\(folder)/home"
        let environment = [
            "HOME": home, "XDG_CONFIG_HOME": configurations.map { "\(folder)/\($0)" } ?? "",
        ]
        let history = try BrowserHistory(
            source.hasPrefix("/") ? folder + source : source,
            environment: environment
        )
        return ([history.path] + history.otherPaths).map { $0.replacing("\(folder)/", with: "") }
    }

    @Test(arguments: [
        ".mozilla/firefox", ".config/mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
        "snap/firefox/common/.config/mozilla/firefox",
        ".var/app/org.mozilla.firefox/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/config/mozilla/firefox", ".librewolf",
        ".config/librewolf/librewolf", ".var/app/io.gitlab.librewolf-community/.librewolf",
        ".var/app/app.zen_browser.zen/.zen", "Library/Application Support/Firefox/Profiles",
        "Library/Application Support/LibreWolf/Profiles",
    ])
    func `profiles of Firefox and its derivatives are found`(folder: String) throws {
        let path = "home/\(folder)/ab12.default/places.sqlite"
        #expect(try found("firefox", [path]) == [path])
    }

    @Test(arguments: [
        ".config/chromium", ".config/google-chrome", ".config/BraveSoftware/Brave-Browser",
        "snap/chromium/common/chromium", ".var/app/org.chromium.Chromium/config/chromium",
        ".var/app/com.google.Chrome/config/google-chrome",
        ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
        "Library/Application Support/Google/Chrome",
    ])
    func `profiles of Chromium and its derivatives are found`(folder: String) throws {
        let path = "home/\(folder)/Profile 1/History"
        #expect(try found("chromium", [path]) == [path])
    }

    @Test(arguments: ["firefox", "chromium"])
    func `a custom configuration folder is searched too`(source: String) throws {
        let profile =
            source == "firefox"
            ? "mozilla/firefox/a.default/places.sqlite" : "chromium/Default/History"
        let paths = ["home/.config/\(profile)", "own/\(profile)"]
        #expect(try found(source, paths, configurations: "own") == paths.reversed())
        #expect(try found(source, paths, configurations: "home/.config") == [paths[0]])
    }

    @Test func `the most recently used profile comes first, in any browser`() throws {
        let paths = [
            "home/.mozilla/firefox/b.default/places.sqlite",
            "home/.librewolf/c.default/places.sqlite",
            "home/.config/mozilla/firefox/a.default/places.sqlite",
        ]
        #expect(try found("firefox", paths) == paths.reversed())
        #expect(try found("/home/.mozilla/firefox", paths) == [paths[0]])
        // In a folder with many profiles, only the most recent profiles are read.
        let many = (1...20).map { "home/.mozilla/firefox/p\($0)/places.sqlite" }
        #expect(try found("firefox", many) == many.suffix(8).reversed())
    }

    @Test(arguments: ["firefox", "chromium", "/home"])
    func `folders without a profile give no database`(source: String) {
        #expect(throws: Failure.self) { try found(source, ["home/x/y"]) }
    }
}
