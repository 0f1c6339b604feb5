import Fixtures
import Scheduling
import Testing

struct CrontabTests {
    @Test func `a new crontab contains only the block of the schedule`() throws {
        let crontab = try Crontab(nil).installing(Example.entry())
        #expect(
            crontab.text == """
                # BEGIN dnstempo schedule default: every 5m, installed 2026-11-21T05:02:00Z, \
                as the first of a new crontab
                */5 * * * * /usr/local/bin/dnstempo sample --store /home/me/rounds.sqlite
                # END dnstempo schedule default

                """
        )
        #expect(try crontab.removing(ScheduleName("default")).bytes == nil)
    }

    @Test(arguments: [
        "", "\n", "MAILTO=me@example.com\n0 3 * * * backup\n", "0 3 * * * backup", "a\r\nb\r\n",
        "a\r\nb\r", "\n\n\n", "#", "# BEGIN dnstempo scheduler\n# END dnstempo\n",
        " # BEGIN dnstempo schedule default\n", "# BEGIN other\n1 1 1 1 1 x\n# END other",
    ])
    func `removing a schedule restores every byte of the crontab`(before: String) throws {
        let original = try Crontab(Array(before.utf8))
        let installed = try original.installing(Example.entry())
        #expect(installed.bytes?.starts(with: before.utf8) == true)
        let again = try installed.installing(Example.entry(installed: "2027-01-01T00:00:00Z"))
        #expect(again == installed)
        #expect(try again.removing(ScheduleName("default")) == original)
    }

    @Test func `bytes that are not text are kept`() throws {
        let original = try Crontab([0xff, 0xfe, 0, 10, 0xc3, 10])
        let installed = try original.installing(Example.entry())
        #expect(installed.bytes?.starts(with: [0xff, 0xfe, 0, 10, 0xc3, 10]) == true)
        #expect(try installed.removing(ScheduleName("default")) == original)
    }

    @Test(arguments: 0..<500)
    func `any order of installing and removing restores the crontab`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "0 3 * * * backup", "PATH=/bin:/usr/bin", "# note", "", "@daily x%y", "\t", "é",
            "# BEGIN other", "# END other", "a\rb",
        ]
        let ends = ["\n", "\r\n", "\n", "\n"]
        var before = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            before += pieces.randomElement(using: &random) ?? ""
            before += ends.randomElement(using: &random) ?? ""
        }
        if Bool.random(using: &random) { before += "last line" }
        let absent = before.isEmpty && Bool.random(using: &random)
        let original = try Crontab(absent ? nil : Array(before.utf8))

        var crontab = original
        var names = ["a", "b", "c"].shuffled(using: &random)
        for name in names {
            crontab = try crontab.installing(Example.entry(name))
            let again = names.randomElement(using: &random) ?? name
            if try crontab.block(named: ScheduleName(again)) != nil {
                let interval = try #require(ScheduleInterval.all.randomElement(using: &random))
                crontab = try crontab.installing(Example.entry(again, every: interval))
            }
        }
        #expect(crontab.blocks.map(\.heading.name.description).sorted() == ["a", "b", "c"])
        names.shuffle(using: &random)
        for name in names { crontab = try crontab.removing(ScheduleName(name)) }
        #expect(crontab == original)
    }

    @Test func `a second installation replaces the first`() throws {
        let before = try Crontab(Array("x\n".utf8)).installing(Example.entry())
        let between = try Crontab((before.bytes ?? []) + Array("y\n".utf8))
        let after = try between.installing(Example.entry(every: Example.interval(120)))
        #expect(after.blocks.count == 1)
        #expect(after.text?.hasPrefix("x\n# BEGIN") == true)
        #expect(after.text?.hasSuffix("# END dnstempo schedule default\ny\n") == true)
        #expect(after.text?.contains("\n0 */2 * * * /usr/local/bin/dnstempo ") == true)
    }

    @Test func `removing a missing entry changes nothing`() throws {
        let crontab = try Crontab(Array("x".utf8)).installing(Example.entry("one"))
        #expect(try crontab.removing(ScheduleName("two")) == crontab)
    }

    @Test func `an entry that was edited by hand is recognised by its markers`() throws {
        let text = try Crontab(nil).installing(Example.entry()).text ?? ""
        let changed = text.split(separator: "*/5 *").joined(separator: "*/7 *")
        let block = try #require(try Crontab(Array(changed.utf8)).blocks.first)
        #expect(block.entry == nil)
        #expect(block.heading.slots.description == "every 5m")
        let repaired = try Crontab(Array(changed.utf8)).installing(Example.entry())
        #expect(repaired.text == text)
    }

    @Test func `markers with carriage returns are recognised`() throws {
        let text = try Crontab(nil).installing(Example.entry()).text ?? ""
        let converted = text.split(separator: "\n").map { "\($0)\r\n" }.joined()
        let crontab = try Crontab(Array(converted.utf8))
        #expect(try crontab.blocks.map(\.entry) == [Example.entry()])
        #expect(try crontab.removing(ScheduleName("default")).bytes == nil)
    }
}

extension Crontab {
    /// The crontab's bytes as UTF-8 text, or `nil` if there is no crontab.
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
