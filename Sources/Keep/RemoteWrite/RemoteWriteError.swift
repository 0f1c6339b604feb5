package import Failures

/// Why rounds were not written.
package typealias RemoteWriteError = Failure
