//! Our side of the conversation: who we are, and a bar on the terminal for servers that report progress.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProtocolVersion};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};

use crate::output;

/// The handler of what servers send unasked.
pub(crate) struct Progress {
    revision: ProtocolVersion,
    bar: ProgressBar,
}

impl Progress {
    /// A client of this revision, with a bar that shows itself with the first report, on a terminal alone.
    pub(crate) fn new(revision: ProtocolVersion) -> Self {
        Self { revision, bar: ProgressBar::hidden() }
    }

    fn show(&self, report: &ProgressNotificationParam) {
        if self.bar.is_hidden() {
            self.bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(120));
        }
        // Thousandths, since progress may be counted in fractions.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a bar clamps what is out of range"
        )]
        let thousandths = |amount: f64| (amount * 1000.0) as u64;
        let template = match report.total {
            Some(total) => {
                self.bar.set_length(thousandths(total));
                "{spinner} {elapsed} [{bar:30}] {percent}% {wide_msg}"
            }
            None => "{spinner} {elapsed} {wide_msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.set_position(thousandths(report.progress));
        if let Some(message) = &report.message {
            self.bar.set_message(output::printable(message));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl ClientHandler for Progress {
    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new("codegen-cli", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), name).with_protocol_version(self.revision.clone())
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.show(&params);
    }
}
