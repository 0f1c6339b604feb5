import Samples
import Testing

struct RecordingTests {
    @Test func `a run is named after its start`() {
        let start = Timestamp(nanoseconds: 1_795_232_112_123_000_000)
        #expect(Run.id(at: start, random: 0xbad_cafe) == "20261121T033512Z-0badcafe")
        #expect(Run.id(at: start, random: 0) == "20261121T033512Z-00000000")
        #expect(Run.id(at: start, random: .max) == "20261121T033512Z-ffffffff")
    }

    @Test func `each target has its samples in order`() throws {
        let recording = try Recording.example()
        let slices = recording.samplesByTarget()
        #expect(slices.map(\.count) == [5, 4])
        #expect(slices[1] == recording.samples.filter { $0.target == 1 })
        #expect(
            slices[1].map(\.observation.outcome) == [.failed, .unreachable, .filtered, .blocked]
        )
    }

    @Test func `samples are sorted by the time of sending`() throws {
        var recording = try Recording.example()
        for index in recording.samples.indices {
            let moment = Timestamp(nanoseconds: Int64(100 - index))
            // A sample whose query was not sent is sorted by its due time.
            if recording.samples[index].observation.sent != nil {
                recording.samples[index].observation.sent = moment
            }
            recording.samples[index].scheduled = moment
        }
        let sent = recording.samples
        recording.sortBySending()
        #expect(recording.samples == sent.reversed())
    }
}
