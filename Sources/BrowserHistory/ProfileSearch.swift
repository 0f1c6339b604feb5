import Catalogue

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Finds where browsers keep their histories.
enum ProfileSearch {
    /// Names of the databases: Firefox' and Chromium's.
    static let databases = ["places.sqlite", "History"]

    /// The database of the profile that was used last, below folders that hold profiles.
    static func latest(_ database: String, below folders: [String]) -> String? {
        let found = folders.flatMap { folder in
            Folder.names(in: folder).map { "\(folder)/\($0)/\(database)" }.filter(isFile)
        }
        return found.max { lastUse($0) < lastUse($1) }
    }

    /// The same for Firefox: as distributions, snaps and Flatpaks have it, or macOS.
    static func firefox(home: String) -> String? {
        let folders = [
            ".mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
            ".var/app/org.mozilla.firefox/.mozilla/firefox",
            "Library/Application Support/Firefox/Profiles",
        ]
        return latest("places.sqlite", below: folders.map { "\(home)/\($0)" })
    }

    /// The same for Chromium and what is built from it.
    static func chromium(home: String, configurations: String) -> String? {
        let below = [
            "chromium", "google-chrome", "microsoft-edge", "BraveSoftware/Brave-Browser", "vivaldi",
        ].map { "\(configurations)/\($0)" }
        let mac = ["Chromium", "Google/Chrome", "Microsoft Edge", "BraveSoftware/Brave-Browser"]
            .map { "\(home)/Library/Application Support/\($0)" }
        return latest("History", below: below + ["\(home)/snap/chromium/common/chromium"] + mac)
    }

    /// The database that a path means: itself, or that of the profile or of the profiles in it.
    static func database(at path: String) -> String? {
        if isFile(path) { return path }
        for name in databases where isFile("\(path)/\(name)") { return "\(path)/\(name)" }
        return databases.compactMap { latest($0, below: [path]) }
            .max { lastUse($0) < lastUse($1) }
    }

    static func isFile(_ path: String) -> Bool {
        FileStatus(path)?.isRegular ?? false
    }

    /// When the database or its log was written, in seconds since 1970.
    private static func lastUse(_ path: String) -> Int {
        ["", "-wal"].map { FileStatus(path + $0)?.modified.tv_sec ?? 0 }.max() ?? 0
    }
}

/// The kind of a file, and when it was written.
struct FileStatus {
    let isRegular: Bool
    let modified: timespec

    /// `nil` where there is no file.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
        modified = status.st_mtimespec
        #else
        modified = status.st_mtim
        #endif
    }
}
