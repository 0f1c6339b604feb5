import Testing

@testable import Lab

struct FrameAssemblerTests {
    private static let messages: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 9, count: 300)]

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `messages are found in any segmentation of the stream`(size: Int) {
        let stream = Self.messages.flatMap(FrameAssembler.frame)
        var assembler = FrameAssembler()
        let found = stride(from: 0, to: stream.count, by: size).flatMap { start in
            assembler.append(stream[start..<min(start + size, stream.count)])
        }
        #expect(found == Self.messages)
    }
}
