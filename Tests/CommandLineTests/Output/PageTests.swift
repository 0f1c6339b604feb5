import Foundation
import Servers
import Testing

/// HTML files of reports, as a browser shows them.
@Suite(.serialized) struct PageTests {
    private let folder = TemporaryFolder()
    private static let white = "rgb(255, 255, 255)"
    private static let dark = "rgb(21, 23, 26)"

    /// Expects that a page is complete on a phone, in dark mode, without scripts and on paper. Expects that
    /// the browser requests only the page's file.
    private func expectSound(_ look: Browser.Look, in folder: TemporaryFolder) async throws {
        #expect(look.requests == [look.address])
        #expect(look.console == [])
        #expect(look.forms.count == 4)
        #expect(look.violations == [])
        for (name, form) in look.forms {
            #expect(form.pageWidth <= form.windowWidth, "\(name) scrolls sideways")
            #expect(form.ground == (name.hasSuffix("dark") ? Self.dark : Self.white))
            #expect(form.charts.allSatisfy { $0.ground == form.ground })
            #expect(form.charts.allSatisfy { $0.width <= Double(form.windowWidth) })
            #expect(form.scripts == 1)
            #expect(form.handlers == 0)
            #expect(!form.taken)
            #expect(form.moving == 0)
            #expect(form.buttons > 0)
        }
        #expect(look.scriptless.buttons == 0)
        #expect(look.scriptless.headline == look.forms["phone-dark"]?.headline)
        let printed = try await Program("pdftotext", package: "poppler-utils")
            .run(["-layout", folder.file("page.pdf"), "-"])
        let words = printed.output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains(look.scriptless.headline))
    }

    @Test func `a comparison is one page with the content of the table`() async throws {
        try await Binary.succeed(
            ["compare", "--lab", "--rounds", "8", "-o", "r.html", "-o", "r.csv", "-o", "r.txt"],
            in: folder.path
        )
        let look = try await Browser.look(
            at: folder.file("r.html"),
            in: folder,
            sortingBy: "median"
        )
        try await expectSound(look, in: folder)
        let page = try #require(look.forms["desktop-light"])
        let words = folder.text("r.txt").split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.hasPrefix(page.headline))
        #expect(page.charts.count == 3)
        let loss = try #require(look.forms["phone-light"]?.loss)
        #expect(loss[0] <= 390 && loss[1] <= 844, "a phone shows it without scrolling")
        for line in folder.text("r.csv").split(separator: "\n").dropFirst() {
            #expect(page.text.contains(line.prefix { $0 != "," }))
        }
        #expect(page.text.contains("dnstempo compare --seed "))
        let sorting = try #require(look.sorting)
        let times = sorting.orders.map { cells in
            cells.map { Double($0.prefix { $0 != " " }) ?? .infinity }
        }
        #expect(times[1] == times[0].sorted())
        #expect(times[2] == times[0].sorted(by: >))
        #expect(Set(times[0]).count > 1)
        #expect(sorting.state == "descending")
    }

    @Test func `a report is one page with the charts of its window`() async throws {
        _ = try folder.write(GeneratedSamples(run: "a", rounds: 90).text, to: "s.csv")
        let run = try await Binary.succeed(["report", "s.csv", "-o", "r.html"], in: folder.path)
        let look = try await Browser.look(
            at: folder.file("r.html"),
            in: folder,
            sortingBy: "resolver"
        )
        try await expectSound(look, in: folder)
        let page = try #require(look.forms["phone-light"])
        #expect(
            run.output.split { $0.isWhitespace }.joined(separator: " ").hasPrefix(page.headline)
        )
        #expect(page.charts.count == 2)
        #expect(page.text.contains("dnstempo report s.csv -o r.html"))
        #expect(look.sorting?.orders[1] == ["r0", "r1", "r2", "r3"])
        #expect(look.sorting?.orders[2] == ["r3", "r2", "r1", "r0"])
    }

    @Test func `checks are written as one page`() async throws {
        try await Binary.succeed(
            ["check", "--lab", "hostile", "-o", "r.html"],
            in: folder.path,
            limit: .seconds(120)
        )
        let look = try await Browser.look(at: folder.file("r.html"), in: folder)
        try await expectSound(look, in: folder)
        let page = try #require(look.forms["phone-light"])
        #expect(page.headline.hasPrefix("rewriting failed 1 check"))
        #expect(page.text.contains("dnstempo check --lab hostile -o r.html"))
    }

    @Test func `hostile names, sites and details run no script and keep the layout`() async throws {
        _ = try folder.write(HostileSamples.text, to: "s.csv")
        for arguments in [["report", "s.csv"], ["report", "s.csv", "--baseline", "quad9"]] {
            try await Binary.succeed(arguments + ["-o", "r.html"], in: folder.path)
            let look = try await Browser.look(at: folder.file("r.html"), in: folder)
            try await expectSound(look, in: folder)
            let text = look.scriptless.text
            #expect(text.contains("<script>"))
            #expect(text.contains("\\u{202E}"))
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
    }
}
