import Catalogue
import LibC

/// Finds where browsers keep their histories.
enum ProfileSearch {
    /// Names of the databases: Firefox' and Chromium's.
    private static let names = ["places.sqlite", "History"]

    /// More profiles than a browser has as a rule.
    private static let most = 8

    /// The databases of the profiles below folders that hold profiles, that of the one used last first.
    static func databases(_ names: [String], below folders: [String]) -> [String] {
        let found = folders.flatMap { folder in
            Folder.names(in: folder).flatMap { profile in
                names.map { "\(folder)/\(profile)/\($0)" }.filter(isFile)
            }
        }
        let dated = found.map { (path: $0, use: lastUse($0)) }
        return dated.sorted { $0.use > $1.use }.prefix(most).map(\.path)
    }

    /// The same for Firefox and what is built from it.
    static func firefox(home: String, configurations: String) -> [String] {
        // Firefox 147 and later use the configuration's folder, and Flatpaks have one of their own.
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

    /// The same for Chromium and what is built from it.
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

    /// The folder of configurations, and the usual one if that is another: a profile stays where its
    /// browser made it.
    private static func configurations(of home: String, _ given: String) -> [String] {
        let usual = "\(home)/.config"
        return given == usual ? [usual] : [given, usual]
    }

    /// The databases that a path means: itself, or those of the profile or of the profiles in it.
    static func databases(at path: String) -> [String] {
        if isFile(path) { return [path] }
        for name in names where isFile("\(path)/\(name)") { return ["\(path)/\(name)"] }
        return databases(names, below: [path])
    }

    static func isFile(_ path: String) -> Bool {
        fileStatus(path)?.isRegular ?? false
    }

    /// When the database or its log was written, in seconds since 1970.
    private static func lastUse(_ path: String) -> Int {
        ["", "-wal"].map { fileStatus(path + $0)?.modified.tv_sec ?? 0 }.max() ?? 0
    }
}
