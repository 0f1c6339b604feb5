import Foundation

/// Runs headless Chromium through the Python scripts in Tests/Browser.
package enum Browser {
    /// The properties of a page in one form, which is a window size with a colour scheme.
    package struct Form: Decodable, Sendable {
        package var title: String
        package var headline: String
        package var text: String
        package var pageWidth: Int
        package var windowWidth: Int
        /// The right and bottom edges of the first cell of the column `failed`, in CSS pixels; `nil` without
        /// this column. The cell is in the first sortable table of the page, before any scrolling.
        package var loss: [Double]?
        package var ground: String
        package var ink: String
        /// The width and the background colour of each visible chart.
        package var charts: [Chart]
        package var scripts: Int
        package var buttons: Int
        /// The number of elements with an attribute that would run a script.
        package var handlers: Int
        /// The number of animations and transitions that are running.
        package var moving: Int
        /// Whether an injected script has run and left its mark.
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

    /// The cells of a column: before a click on its header, after one click, and after two clicks.
    package struct Sorting: Decodable, Sendable {
        package var orders: [[String]]
        package var state: String
    }

    package struct Look: Decodable, Sendable {
        package var address: String
        /// The forms `desktop-light`, `desktop-dark`, `phone-light` and `phone-dark`, by name.
        package var forms: [String: Form]
        package var scriptless: Form
        /// The broken rules of accessibility, each with its form and its first element.
        package var violations: [String]
        package var sorting: Sorting?
        package var requests: [String]
        package var console: [String]
    }

    /// Opens a page of the file system in every form, and clicks on `header` if it is given. Saves
    /// screenshots and the printed page in `folder`.
    package static func look(
        at page: String,
        in folder: TemporaryFolder,
        sortingBy header: String? = nil
    ) async throws -> Look {
        let run = try await run("look.py", [page, folder.path] + [header].compactMap(\.self))
        guard run.code == 0 else { throw ServerError("look.py failed:\n\(run.errors)") }
        return try JSONDecoder().decode(Look.self, from: Data(run.bytes))
    }

    /// Runs a script of Tests/Browser with the Python interpreter that has selenium.
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
