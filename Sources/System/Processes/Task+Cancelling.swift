extension Task where Failure == Never {
    /// Its value; cancelling who waits for it cancels it too.
    package var cancellingValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}
