import Foundation
import Testing

@testable import Scheduling

struct LaunchdPropertyListTests {
    @Test func `a property list escapes the words for XML`() throws {
        let entry = try Example.entry(
            every: Example.interval(720),
            arguments: ["sample", "<a> & \"b\""],
            configurationHome: "/me"
        )
        #expect(
            LaunchdPropertyList(entry).text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
                "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                    <key>Label</key>
                    <string>dnstempo.default</string>
                    <key>EnvironmentVariables</key>
                    <dict>
                        <key>XDG_CONFIG_HOME</key>
                        <string>/me</string>
                    </dict>
                    <key>ProgramArguments</key>
                    <array>
                        <string>/usr/local/bin/dnstempo</string>
                        <string>sample</string>
                        <string>&lt;a&gt; &amp; "b"</string>
                    </array>
                    <key>StartCalendarInterval</key>
                    <array>
                        <dict><key>Hour</key><integer>0</integer><key>Minute</key>\
                <integer>0</integer></dict>
                        <dict><key>Hour</key><integer>12</integer><key>Minute</key>\
                <integer>0</integer></dict>
                    </array>
                </dict>
                </plist>

                """
        )
    }

    @Test(arguments: ScheduleInterval.all)
    func `a property list is read back with all its slots`(interval: ScheduleInterval) throws {
        let entry = try Example.entry(every: interval, arguments: [Example.wild, "", "<&>"])
        let list = unsafe try PropertyListSerialization.propertyList(
            from: Data(LaunchdPropertyList(entry).text.utf8),
            format: nil
        )
        let job = try #require(list as? [String: Any])
        #expect(
            job["ProgramArguments"] as? [String]
                == [entry.command.binary] + entry.command.arguments
        )
        #expect(job["EnvironmentVariables"] == nil)
        let slots = try #require(job["StartCalendarInterval"] as? [[String: Int]])
        var minutes: Set<Int> = []
        for slot in slots {
            for hour in slot["Hour"].map({ $0...$0 }) ?? 0...23 {
                for minute in slot["Minute"].map({ $0...$0 }) ?? 0...59 {
                    minutes.insert(60 * hour + minute)
                }
            }
        }
        #expect(minutes == Set(stride(from: 0, to: 1440, by: interval.minutes)))
    }

    @Test(arguments: [
        (ScheduleSlots.weekly, ["Weekday": 1, "Hour": 7, "Minute": 0]),
        (.monthly, ["Day": 1, "Hour": 7, "Minute": 0]),
    ])
    func `a digest has one slot`(slots: ScheduleSlots, keys: [String: Int]) throws {
        let entry = try Example.entry(at: slots)
        let list = unsafe try PropertyListSerialization.propertyList(
            from: Data(LaunchdPropertyList(entry).text.utf8),
            format: nil
        )
        let job = try #require(list as? [String: Any])
        #expect(job["StartCalendarInterval"] as? [[String: Int]] == [keys])
    }
}
