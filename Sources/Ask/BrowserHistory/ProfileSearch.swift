import Catalogue
import LibC

/// Searches for the histories of browsers.
enum ProfileSearch {
    /// The names of the databases of Firefox and Chromium.
    private static let names = ["places.sqlite", "History"]

    /// More profiles than a browser usually has.
    private static let most = 8

    /// The databases of the profiles in the folders, the most recently used first.
    static func databases(_ names: [String], below folders: [String]) -> [String] {
        let found = folders.flatMap { folder in
            Folder.names(in: folder).flatMap { profile in
                names.map { "\(folder)/\(profile)/\($0)" }.filter(isFile)
            }
        }
        let dated = found.map { (path: $0, use: lastUse($0)) }
        return dated.sorted { $0.use > $1.use }.prefix(most).map(\.path)
    }

    /// The databases of Firefox and of browsers derived from it.
    static func firefox(home: String, configurations: String) -> [String] {
        // Firefox 147 and later use the configuration folder. Flatpaks have separate folders.
        let below = ["mozilla/firefox", "librewolf", "librewolf/librewolf"]
        let own = [".mozilla/firefox", ".librewolf", ".waterfox", ".floorp", ".zen"]
        let snaps = ["snap/firefox/common", "snap/firefox/current"]
        let flatpaks = [
            "org.mozilla.firefox", "io.gitlab.librewolf-community", "net.waterfox.waterfox",
            "one.ablaze.floorp", "app.zen_browser.zen",
        ].map { ".var/app/\($0)" }
        let homes = [home] + (snaps + flatpaks).map { "\(home)/\($0)" }
        let configured =
            snaps.map { "\(home)/\($0)/.config" } + flatpaks.map { "\(home)/\($0)/config" }
            + Self.configurations(of: home, configurations)
        let linux = Self.folders(own, in: homes) + Self.folders(below, in: configured)
        let mac = ["Firefox", "LibreWolf", "Waterfox", "Floorp", "zen"]
            .map { "\(home)/Library/Application Support/\($0)/Profiles" }
        return databases(["places.sqlite"], below: linux + mac)
    }

    /// The databases of Chromium and of browsers derived from it.
    static func chromium(home: String, configurations: String) -> [String] {
        let names = [
            "chromium", "google-chrome", "microsoft-edge", "BraveSoftware/Brave-Browser", "vivaldi",
        ]
        let flatpaks = [
            ("org.chromium.Chromium", "chromium"),
            ("io.github.ungoogled_software.ungoogled_chromium", "chromium"),
            ("com.google.Chrome", "google-chrome"), ("com.microsoft.Edge", "microsoft-edge"),
            ("com.brave.Browser", "BraveSoftware/Brave-Browser"),
            ("com.vivaldi.Vivaldi", "vivaldi"),
        ].map { "\(home)/.var/app/\($0)/config/\($1)" }
        let snaps = [
            "chromium/common/chromium", "brave/current/.config/BraveSoftware/Brave-Browser",
        ].map { "\(home)/snap/\($0)" }
        let mac = [
            "Chromium", "Google/Chrome", "Microsoft Edge", "BraveSoftware/Brave-Browser", "Vivaldi",
        ].map { "\(home)/Library/Application Support/\($0)" }
        let linux = Self.folders(names, in: Self.configurations(of: home, configurations))
        return databases(["History"], below: linux + flatpaks + snaps + mac)
    }

    private static func folders(_ names: [String], in places: [String]) -> [String] {
        places.flatMap { place in names.map { "\(place)/\($0)" } }
    }

    /// The configuration folder, and the default folder if it differs. A profile stays in the
    /// folder in which its browser created it.
    private static func configurations(of home: String, _ given: String) -> [String] {
        let usual = "\(home)/.config"
        return given == usual ? [usual] : [given, usual]
    }

    /// The databases at a path: the path itself, or the databases of the profile or profiles in it.
    static func databases(at path: String) -> [String] {
        if isFile(path) { return [path] }
        for name in names where isFile("\(path)/\(name)") { return ["\(path)/\(name)"] }
        return databases(names, below: [path])
    }

    static func isFile(_ path: String) -> Bool {
        fileStatus(path)?.isRegular ?? false
    }

    /// The time when the database or its log was last written, in seconds since 1970.
    private static func lastUse(_ path: String) -> Int {
        ["", "-wal"].map { fileStatus(path + $0)?.modified.tv_sec ?? 0 }.max() ?? 0
    }
}
