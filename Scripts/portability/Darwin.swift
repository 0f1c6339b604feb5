// The part of Apple's C library that Swift's module Darwin declares in Swift, because C macros have no Swift form.
@_exported public import DarwinHeaders
@_exported public import SwiftGlibc

public var errno: Int32 {
    get { __error().pointee }
    set { __error().pointee = newValue }
}

public var stdin: UnsafeMutablePointer<FILE> { __stdinp }
public var stdout: UnsafeMutablePointer<FILE> { __stdoutp }
public var stderr: UnsafeMutablePointer<FILE> { __stderrp }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }

public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }

public var MAP_FAILED: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
public func ioctl(
    _ descriptor: Int32,
    _ request: UInt,
    _ value: UnsafeMutableRawPointer
) -> Int32 { -1 }
public func lgamma(_ x: Double) -> (Double, Int) { (0, 0) }
