/// A samples file with hostile texts in all text cells. Each text would run a script or break the layout of a
/// page. The longest texts have the maximum length in a samples file.
enum HostileSamples {
    private static let texts = [
        "<script>window.taken=1</script>", "\"><img src=x onerror=window.taken=1>",
        "' onmouseover='window.taken=1", "</style></svg><script>window.taken=1</script>",
        "\u{202E}gnp.exe<script>window.taken=1</script>", String(repeating: "x", count: 255),
        "東京" + String(repeating: "長", count: 83), "javascript:window.taken=1",
        "&lt;script&gt;&#x3c;script&#x3e;", "{{constructor.constructor('window.taken=1')()}}",
    ]

    static var text: String {
        let header =
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,name,type,outcome,rtt_ms,"
            + "timeout_ms,site,detail"
        var lines = [header]
        for round in 1...12 {
            for (index, text) in (["quad9"] + texts).enumerated() {
                let time = "2026-10-01T00:\(round + 10):\(index + 10).000000Z"
                // The first place has only the resolver quad9. Every other place has quad9 and a resolver of
                // its own.
                for resolver in Set(["quad9", text]).sorted() {
                    let cells =
                        ["r", "\(round)", time, time, text, resolver, resolver, resolver]
                        + ["n\(index % 3).example.com", "A", "answered"]
                        + ["\(Double(index * 3 + round % 5) + 5.25)", "5000", text, text]
                    lines.append(cells.map(quoted).joined(separator: ","))
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ cell: String) -> String {
        "\""
            + cell.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
