//! Publishing errors: their kinds, exit codes, messages and suggestions.

use std::fmt;

use sitegate_base::sanitize::visible;
use sitegate_base::url_secrets::without_secrets;

/// The kind of a failure, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The export or the contract differs from the seal.
    SealMismatch,
    /// The command cannot start: arguments, contract, seal or target.
    Usage,
    /// The store rejected the credentials, or the clock is wrong.
    Credentials,
    /// A guard stopped the plan: drift, deletions, missing pages.
    Guard,
    /// Another publisher holds the target.
    Held,
    /// Failed before anything visible changed.
    Failed,
    /// Failed while pages were being switched. Running it again completes it.
    PartlySwitched,
    /// The live site does not match the release.
    Unverified,
    /// The live site did not match the release, and was rolled back.
    RolledBack,
    /// The live site does not match the release, and the rollback failed.
    RollbackFailed,
    /// The live site gave no usable answer, so that it is unknown whether it matches the release.
    Unverifiable,
    /// Stopped by SIGINT (Ctrl-C).
    Sigint,
    /// Stopped by SIGTERM.
    Sigterm,
}

impl FailureKind {
    /// Returns the exit code: a stop by a signal is 128 plus the signal's number, as in shells.
    pub fn exit_code(self) -> u8 {
        match self {
            FailureKind::SealMismatch => 1,
            FailureKind::Usage => 2,
            FailureKind::Credentials => 3,
            FailureKind::Guard => 4,
            FailureKind::Held => 5,
            FailureKind::Failed => 6,
            FailureKind::PartlySwitched => 7,
            FailureKind::Unverified => 8,
            FailureKind::RolledBack => 9,
            FailureKind::RollbackFailed => 10,
            FailureKind::Unverifiable => 11,
            FailureKind::Sigint => 130,
            FailureKind::Sigterm => 143,
        }
    }
}

/// The exit codes, for help texts.
pub const EXIT_CODES: &str = "Exit codes:\
    \n  0  done, or nothing to do\
    \n  1  refused: the export is not what passed the check\
    \n  2  cannot start: arguments, contract, seal or target\
    \n  3  the store rejected the credentials, or the clock is wrong\
    \n  4  a guard stopped the plan; the message names the option to allow it\
    \n  5  another publisher holds the target\
    \n  6  failed; nothing visible was changed\
    \n  7  failed while pages were being switched; run it again to complete it\
    \n  8  the live site does not match the release, or was not invalidated\
    \n  9  the live site did not match the release and was rolled back\
    \n 10  the live site does not match the release, and the rollback failed\
    \n 11  the release is live, but the live site could not be verified\
    \n130, 143  stopped by Ctrl-C or SIGTERM; the target was released";

/// A publishing error.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Failure {
    /// Its kind.
    pub kind: FailureKind,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// The keys, files or URLs concerned.
    pub names: Vec<String>,
    /// How to fix it.
    pub help: Option<String>,
    /// Whether a write was held back because the lease had lapsed. It can be retried after the lease is
    /// acquired again.
    pub(crate) has_lapsed: bool,
}

/// Maximum number of names in a message. The rest is counted.
const MAX_NAMES: usize = 10;

impl Failure {
    /// Creates a failure. Secrets in URLs are removed from the message.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure {
            kind,
            message: without_secrets(&message.into()),
            names: Vec::new(),
            help: None,
            has_lapsed: false,
        }
    }

    /// Adds the names that the failure concerns.
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = String>) -> Failure {
        self.names = names.into_iter().map(|name| without_secrets(&name)).collect();
        self
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(without_secrets(&help.into()));
        self
    }

    /// Appends to the suggestion.
    #[must_use]
    pub(crate) fn help_also(self, more: &str) -> Failure {
        let help = self.help.as_ref().map_or_else(|| more.to_owned(), |help| format!("{help}; {more}"));
        self.help(help)
    }

    /// Turns a failure that claims that nothing changed into [`FailureKind::PartlySwitched`], and adds how to
    /// recover.
    #[must_use]
    pub fn while_switching(mut self) -> Failure {
        if matches!(self.kind, FailureKind::Failed | FailureKind::Credentials | FailureKind::SealMismatch) {
            self.kind = FailureKind::PartlySwitched;
        } else if !self.is_stop() {
            return self;
        }
        self.help_also(
            "some pages may be new and others old; run the same command again to complete the switch",
        )
    }

    /// Whether a signal stopped the run.
    pub(crate) fn is_stop(&self) -> bool {
        matches!(self.kind, FailureKind::Sigint | FailureKind::Sigterm)
    }

    /// Reports a feature that this build lacks.
    pub fn without_network(what: &str) -> Failure {
        let message = format!("{what} needs the network, and this build has no network support");
        Failure::new(FailureKind::Usage, message)
            .help("build it with the default features: `cargo install --path checker/sitegate`")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.message))?;
        for name in self.names.iter().take(MAX_NAMES) {
            write!(f, "\n  {}", visible(name))?;
        }
        if self.names.len() > MAX_NAMES {
            write!(f, "\n  and {} more", self.names.len() - MAX_NAMES)?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  = {}", visible(help)),
            None => Ok(()),
        }
    }
}
