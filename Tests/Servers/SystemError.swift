import Foundation

/// The platform's words for an `errno`.
enum SystemError {
    static var last: Int32 { errno }

    static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
