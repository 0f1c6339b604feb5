import HTTP
import Protobuf

/// The answer of a receiver of OpenTelemetry, which is a message of Protocol Buffers.
enum ExportAnswer {
    /// What a receiver rejected of a request that it accepted (`ExportMetricsPartialSuccess`): the number of
    /// points, and why. The number 0 means none.
    static func rejection(in body: [UInt8]) -> (points: Int, words: String) {
        guard let partial = field(1, of: body[...])?.bytes else { return (0, "") }
        let points = field(1, of: partial)?.number ?? 0
        return (Int(clamping: points), words(field(2, of: partial)))
    }

    /// The text of an error (`google.rpc.Status`); empty if the body has another format.
    static func error(in body: [UInt8]) -> String { words(field(2, of: body[...])) }

    private static func words(_ value: MessageReader.Value?) -> String {
        value?.bytes.map { String(decoding: $0, as: UTF8.self).firstShownLine } ?? ""
    }

    private static func field(
        _ number: UInt64,
        of message: ArraySlice<UInt8>
    ) -> MessageReader.Value? {
        var reader = MessageReader(message)
        var found: MessageReader.Value?
        do throws(MessageReader.Fault) {
            // The last value of a field applies.
            while let (field, value) = try reader.next() {
                if field == number { found = value }
            }
        } catch {
            return nil
        }
        return found
    }
}
