import Catalogue
package import Failures

extension Failure {
    /// Throws if files and stores cannot contain the name. `what` is the kind of the name.
    package static func check(name: String, of what: String) throws(Failure) {
        guard (1...Resolver.longestName).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw usage("the name of \(what) has 1 to \(Resolver.longestName) bytes: give another")
        }
    }
}
