import Testing

@testable import Samples

@Suite struct DetailTests {
    @Test func `the details of a query are joined and cut to the limit`() {
        var observation = Observation(outcome: .timeout)
        #expect(Detail(joining: []) == nil)
        observation.add(detail: Detail("ignored 1 with a wrong ID"))
        observation.add(detail: Detail("over HTTP/1.1"))
        observation.add(.strays)
        #expect(
            observation.extras?.detail?.description == "ignored 1 with a wrong ID; over HTTP/1.1"
        )
        observation.add(detail: Detail(String(repeating: "\u{e9}", count: 200)))
        let words = observation.withinLimits.extras?.detail?.description
        #expect(words?.count == 200 && words?.hasSuffix("\u{e9}…") == true)
    }

    @Test func `text from a server is not evidence of tampering`() {
        let extras = Observation.Extras(detail: Detail("untruth: lies"))
        #expect(extras.tampering == nil)
        // Files of versions without flags have only the text.
        #expect(SampleFlags(detail: extras.detail) == .tampering)
        var marked = Observation(outcome: .answered)
        marked.extras = extras
        marked.add(.tampering, detail: Detail(tampering: "sends names elsewhere"))
        #expect(marked.extras?.tampering == "sends names elsewhere")
    }
}
