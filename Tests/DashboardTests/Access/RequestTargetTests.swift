import Testing

@testable import Dashboard

/// Request targets as browsers send them.
@Suite struct RequestTargetTests {
    @Test func `the path and the parameters are decoded`() {
        let target = RequestTarget("/resolver/a%2Fb?name=caf%C3%A9+1&empty=&flag&name=last%26x")
        #expect(target.path == "/resolver/a/b")
        #expect(target["name"] == "last&x")
        #expect(target["empty"] == "" && target["flag"] == "")
        #expect(target["none"] == nil)
    }

    @Test(arguments: ["/?a=%", "/?a=%4", "/?a=%zz", "/?a=%+1", "/?a=%ff%fe"])
    func `parameters that are not text are ignored`(text: String) {
        #expect(RequestTarget(text)["a"] == nil)
    }

    @Test(arguments: [
        "", "?", "#", "/#x", "*", "http://host/", "/?", "/?&&==&", "//evil.example/",
        "///evil.example/", "/%2Fevil.example/", "/\\evil.example/", "//",
    ])
    func `malformed targets are parsed safely and lead to no other host`(text: String) {
        let target = RequestTarget(text)
        #expect(RequestTarget(target.text) == target)
        let address = target.text
        #expect(!address.hasPrefix("//") && !address.contains(":") && !address.contains("\\"))
    }

    @Test func `a target's text parses to the same target`() {
        let target = RequestTarget("/resolver?label=a%26b%3D%22%3C%2B&window=7d")
        let other = target.setting("window", to: "1h").setting("x", to: "ä /")
        #expect(RequestTarget(other.text) == other)
        #expect(other["label"] == "a&b=\"<+" && other["x"] == "ä /")
        #expect(other.setting("label", to: nil)["label"] == nil)
        #expect(!other.text.contains("\"") && !other.text.contains("<"))
    }
}
