//! `--die-with-parent`: a host ends with the process that started it.
//!
//! The parent is looked at now and then. A signal of the kernel's would come when the *thread* that started us ends, and
//! frameworks start servers from threads that do.

#[cfg(unix)]
use std::time::Duration;

/// How often.
#[cfg(unix)]
const EVERY: Duration = Duration::from_millis(200);

/// The parent as it was at the start, before anything took time in which it could end.
#[cfg(unix)]
static FIRST: std::sync::OnceLock<u32> = std::sync::OnceLock::new();

/// Takes note of who the parent is.
pub(super) fn note() {
    #[cfg(unix)]
    FIRST.get_or_init(std::os::unix::process::parent_id);
}

/// Waits for the end of the process that started this one; for ever where the system does not tell.
pub(super) async fn gone() {
    #[cfg(unix)]
    {
        use std::os::unix::process::parent_id;
        let first = *FIRST.get_or_init(parent_id);
        while parent_id() == first {
            tokio::time::sleep(EVERY).await;
        }
    }
    #[cfg(not(unix))]
    std::future::pending::<()>().await;
}
