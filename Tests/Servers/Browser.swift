import Foundation

/// Chromium without a window, as a script of Python drives it; see Tests/Browser.
package enum Browser {
    /// What a page looked like in one form.
    package struct Form: Decodable, Sendable {
        package var title: String
        package var headline: String
        package var text: String
        package var pageWidth: Int
        package var windowWidth: Int
        /// The right and the lower end of the first loss in the first table, on a page not scrolled.
        package var loss: [Double]?
        package var ground: String
        package var ink: String
        /// How wide the visible charts are, and the colour of their ground.
        package var charts: [Chart]
        package var scripts: Int
        package var buttons: Int
        /// Elements with an attribute that would run a script.
        package var handlers: Int
        /// Whether a script that does not belong there left its mark.
        package var taken: Bool

        package struct Chart: Decodable, Sendable {
            package var width: Double
            package var ground: String

            package init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                width = try values.decode(Double.self)
                ground = try values.decode(String.self)
            }
        }
    }

    /// The cells of a column before a click on its header, after one, and after two.
    package struct Sorting: Decodable, Sendable {
        package var orders: [[String]]
        package var state: String
    }

    package struct Look: Decodable, Sendable {
        package var address: String
        /// By `desktop-light`, `desktop-dark`, `phone-light` and `phone-dark`.
        package var forms: [String: Form]
        package var scriptless: Form
        package var sorting: Sorting?
        package var requests: [String]
        package var console: [String]
    }

    /// Opens a page of the file system in every form; pictures of it and the page as it is printed
    /// go to `folder`. Clicks on `header` where one is given.
    package static func look(
        at page: String,
        in folder: TemporaryFolder,
        sortingBy header: String? = nil
    ) async throws -> Look {
        let run = try await run("look.py", [page, folder.path] + [header].compactMap(\.self))
        guard run.code == 0 else { throw ServerError("look.py failed:\n\(run.errors)") }
        return try JSONDecoder().decode(Look.self, from: Data(run.bytes))
    }

    /// Runs a script of Tests/Browser with the Python that has selenium.
    package static func run(
        _ script: String,
        _ arguments: [String],
        limit: Duration = .seconds(240)
    ) async throws -> CommandOutput {
        let package = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let chromium = try Program("chromium", package: "chromium")
        let driver = try Program("chromedriver", package: "chromium-driver")
        let home = TemporaryFolder()
        return try await Program(Program.testPython, package: "python3").run(
            ["-B", package.appending(path: "Tests/Browser/\(script)").path] + arguments,
            environment: [
                "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home.path,
                "CHROMIUM": chromium.path, "CHROMEDRIVER": driver.path,
            ],
            in: home.path,
            limit: limit
        )
    }
}
