import Foundation

/// The value of `errno`, and the platform's text for it.
enum SystemError {
    static var last: Int32 { errno }

    static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
