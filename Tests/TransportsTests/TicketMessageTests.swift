import Testing

@testable import Transports

@Suite struct TicketMessageTests {
    /// Lifetime and age, a nonce of one byte, a ticket of two bytes, and the given extensions.
    private static func message(_ extensions: [UInt8]) -> [UInt8] {
        [0, 0, 1, 0, 1, 2, 3, 4, 1, 9, 0, 2, 7, 7, 0, UInt8(extensions.count)] + extensions
    }

    private static let cases: [(extensions: [UInt8], size: UInt32)] = [
        ([], 0),
        ([0, 42, 0, 4, 0, 0, 0x40, 0], 0x4000),
        ([0, 42, 0, 4, 0xff, 0xff, 0xff, 0xff], .max),
        ([0, 1, 0, 1, 5, 0, 42, 0, 4, 0, 0, 0, 9], 9),
        ([0, 42, 0, 2, 0, 9], 0), ([0, 42, 0, 9, 1], 0), ([0, 42], 0),
    ]

    @Test(arguments: cases)
    func `the size of early data is in an extension`(extensions: [UInt8], size: UInt32) {
        let found = unsafe Self.message(extensions).withUnsafeBufferPointer {
            unsafe TicketMessage.earlyDataSize(in: $0)
        }
        #expect(found == size)
    }

    @Test func `an incomplete message allows no early data`() {
        let whole = Self.message([0, 42, 0, 4, 0, 0, 0, 9])
        for count in 0..<whole.count {
            let found = unsafe Array(whole.prefix(count)).withUnsafeBufferPointer {
                unsafe TicketMessage.earlyDataSize(in: $0)
            }
            #expect(found == 0)
        }
    }
}
