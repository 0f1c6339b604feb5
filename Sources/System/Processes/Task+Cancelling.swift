extension Task where Failure == Never {
    /// The task's value. If the waiting task is cancelled, this task is cancelled too.
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
