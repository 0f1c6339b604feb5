#if FUZZ
import CLibFuzzer

// Safe because it is set once, before the engine starts.
nonisolated(unsafe) private var engineTarget: FuzzTarget?

/// Runs libFuzzer on `target` with the options of the command line.
func runEngine(on target: FuzzTarget) {
    unsafe engineTarget = target
    // The target's name is not an argument of libFuzzer.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
        unsafe CommandLine.unsafeArgv + 1
    _ = unsafe LLVMFuzzerRunDriver(&count, &arguments) { octets, count in
        let input = unsafe [UInt8](UnsafeBufferPointer(start: octets, count: count))
        unsafe engineTarget?.take(input)
        return 0
    }
}
#endif
