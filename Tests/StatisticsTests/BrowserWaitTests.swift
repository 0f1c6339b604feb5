import Foundation
import Testing

@testable import Statistics

/// Compares a browser's wait with Reference/content.py.
struct BrowserWaitTests {
    private typealias Response = BrowserWait.Response

    private static let none = Double.infinity

    @Test(arguments: [
        (a: (12.0, true), aaaa: (14.0, true) as (Double, Bool)?, https: 13.0, wait: 14.0),
        ((12, true), (14, false), 90, 62),
        ((30, true), (10, false), 12, 30),
        ((200, true), (10, false), 10, 200),
        ((12, true), (none, false), 13, 62),
        ((none, false), (14, true), 13, 14),
        ((12, false), (14, false), 13, none),
        ((12, true), nil, 90, 62),
        ((12, true), (100, true), 11, 61),
        ((70, true), (12, true), 90, 62),
    ])
    func `a browser waits for its preferred family and HTTPS, but not long`(
        a: (Double, Bool),
        aaaa: (Double, Bool)?,
        https: Double,
        wait: Double
    ) {
        let found = BrowserWait.time(
            a: Response(time: a.0, hasAddress: a.1),
            aaaa: aaaa.map { Response(time: $0.0, hasAddress: $0.1) },
            https: https
        )
        #expect(found == wait || agree(found, wait, within: 1e-9))
    }

    @Test func `a thousand look-ups equal the reference`() throws {
        let file = ReferenceGolden.folder.appending(path: "browser.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1001)
        for line in lines.dropFirst() {
            let columns = line.split(separator: "\t")
            let seed = try #require(UInt64(columns[0]))
            let expected = try #require(Double(columns[1]))
            let found = Self.wait(seed: seed)
            #expect(found == expected || agree(found, expected, within: 1e-6), "\(line)")
        }
    }

    /// Returns the wait for the look-up that the reference derives from the same seed.
    private static func wait(seed: UInt64) -> Double {
        var source = CongruentialGenerator(state: seed)
        for _ in 0..<3 { _ = source.below(1) }
        func response() -> Response {
            let time = Double(2_000 + source.below(120_000)) / 1000
            let fate = source.below(10)
            return fate == 0
                ? Response(time: .infinity, hasAddress: false)
                : Response(time: time, hasAddress: fate < 7)
        }
        let hasRoute = source.below(3) > 0
        let (a, aaaa, https) = (response(), response(), response())
        return BrowserWait.time(a: a, aaaa: hasRoute ? aaaa : nil, https: https.time)
    }
}
