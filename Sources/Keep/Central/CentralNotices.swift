import CPostgreSQL
import LibC
import Samples
import Synchronization

/// The notices of a server. By default, libpq writes them to standard error.
final class CentralNotices: Sendable {
    private static let most = 8
    private static let longest = 4096

    private let place: String
    private let notice: @Sendable (String) -> Void
    private let count = Mutex(0)

    init(of place: String, _ notice: @escaping @Sendable (String) -> Void) {
        (self.place, self.notice) = (place, notice)
    }

    /// Receives the notices of a connection. The connection must not outlive this object.
    func attach(to connection: OpaquePointer) {
        _ = unsafe PQsetNoticeProcessor(
            connection,
            { notices, text in
                guard let notices = unsafe notices, let text = unsafe text else { return }
                let start = unsafe UnsafeRawPointer(text)
                let count = unsafe strnlen(text, CentralNotices.longest)
                let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
                let words = unsafe String(decoding: bytes, as: UTF8.self)
                unsafe Unmanaged<CentralNotices>.fromOpaque(notices).takeUnretainedValue()
                    .take(words)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func take(_ text: String) {
        let number = count.withLock { count in
            count = min(count + 1, Self.most + 1)
            return count
        }
        guard number <= Self.most else { return }
        notice("the central store at \(place): \(text.firstLine.cut(toCharacters: 200))")
    }
}
