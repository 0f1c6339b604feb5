import Fixtures
import Foundation

/// Measurements in which every value that identifies the user is unmistakable.
struct RedactedValues {
    /// The values that no redacted output contains.
    static let all = names + others
    static let names = ["secretname"]
    private static let others = [
        "secretvantage", "secretrouter", "secretrun", "secretbox", "secrethost", "secretpage",
        "secretfolder", "secretuplink", "192.168.77.1", "100.64.3.4", "fd00:77::1", "10.9.8.7",
    ]

    let folder = TemporaryFolder()

    func path(_ name: String) -> String { folder.file("secretfolder/\(name)") }

    init() throws {
        try folder.write(Self.file(vantages: ["secretvantage"]), to: "secretfolder/one.csv")
        try folder.write(
            Self.file(vantages: ["secretvantage", "secretvantage-office"]),
            to: "secretfolder/two.csv"
        )
    }

    /// Hours of half-hourly rounds at each place.
    private static func file(vantages: [String]) throws -> String {
        let resolvers = [
            ("secretrouter", "192.168.77.1:53"), ("system", "100.64.3.4:53"),
            ("secretrouter-six", "[fd00:77::1]:53"), ("quad9@secretuplink", "9.9.9.9:53"),
        ]
        let begin = try Date("2026-03-16T00:00:00Z", strategy: .iso8601)
        var lines = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
                + "rcode,rtt_ms,timeout_ms,site,detail,cause,cause_value"
        ]
        for round in 0..<40 {
            let moment = begin.addingTimeInterval(Double(round) * 1800).formatted(.iso8601)
            for vantage in vantages {
                for (index, resolver) in resolvers.enumerated() {
                    for name in ["secretname.example", "*.secretname.test"] {
                        let isUncached = name.hasPrefix("*")
                        let fails = index == 0 && round % 8 == 3
                        let time = Double(index * 4 + (round * 7 + index) % 5 + 5)
                        let words = "ICMP from 10.9.8.7 at secrethost.lan for secretname.example"
                        lines.append(
                            [
                                "secretrun-\(vantage)", "\(round + 1)", moment, moment, vantage,
                                resolver.0, resolver.1, "udp", isUncached ? "uncached" : "cached",
                                name, "A", fails ? "failed" : "answered",
                                fails ? "SERVFAIL" : "NOERROR", "\(time)", "5000",
                                index == 0 ? "secretbox" : "fra1", fails ? words : "",
                                fails ? "http-status" : "", fails ? "503 secretpage" : "",
                            ]
                            .joined(separator: ",")
                        )
                    }
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The text of all files below a folder, and their names.
    static func contents(of path: String) throws -> String {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: path).map { name in
            let data = manager.contents(atPath: "\(path)/\(name)") ?? Data()
            return name + "\n" + String(decoding: data, as: UTF8.self)
        }
        .joined(separator: "\n")
    }
}
