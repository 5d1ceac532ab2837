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

    /// Reports a store that cannot be used because a setting is missing.
    #[cfg(feature = "network")]
    pub fn unusable(error: &object_store::Error) -> Failure {
        let failure = Failure::store(error, "cannot use the target");
        Failure { kind: FailureKind::Usage, ..failure }.help(credentials_help(&error.to_string()))
    }

    /// Converts a store's error.
    #[cfg(feature = "network")]
    pub fn store(error: &object_store::Error, action: &str) -> Failure {
        use object_store::Error;
        let mut text = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            // The credentials provider has already described the problem.
            if let Some(failure) = inner.downcast_ref::<Failure>() {
                return failure.clone();
            }
            let inner_text = inner.to_string();
            if !text.contains(&inner_text) {
                text = format!("{text}: {inner_text}");
            }
            source = inner.source();
        }
        let code = text.split("<Code>").nth(1).and_then(|rest| rest.split("</Code>").next());
        let code = code.unwrap_or_default().to_owned();
        let known = match code.as_str() {
            "RequestTimeTooSkewed" => Some("the clock of this machine is wrong; set it, then run again"),
            "SignatureDoesNotMatch" => Some("the secret key does not belong to the access key"),
            "InvalidAccessKeyId" => Some("the store does not know this access key"),
            "ExpiredToken" | "InvalidToken" | "TokenRefreshRequired" => {
                Some("the session's credentials have expired; sign in again")
            }
            "AccessDenied" => Some(
                "these credentials lack a permission; `sitegate edge s3-website` prints the required policy",
            ),
            "NoSuchBucket" => Some("the bucket does not exist; create it, or correct its name"),
            _ => None,
        };
        let denied = matches!(error, Error::PermissionDenied { .. } | Error::Unauthenticated { .. });
        let no_credentials = text.contains("169.254.169.254") || text.contains("InstanceCredentials");
        let (kind, message, help) = if code == "NoSuchBucket" {
            (FailureKind::Usage, format!("{action}: NoSuchBucket"), known)
        } else if let Some(known) = known {
            (FailureKind::Credentials, format!("{action}: {code}"), Some(known))
        } else if no_credentials {
            let message = format!("{action}: no credentials for {}", store_name(&text));
            (FailureKind::Credentials, message, Some(credentials_help(&text)))
        } else if denied {
            (
                FailureKind::Credentials,
                format!("{action}: {} refused the credentials", store_name(&text)),
                None,
            )
        } else {
            (FailureKind::Failed, format!("{action}: {}", cause_text(&text, &code)), None)
        };
        let failure = Failure::new(kind, message);
        match help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

/// Returns the store that an error's text names.
#[cfg(feature = "network")]
fn store_name(text: &str) -> &'static str {
    if text.contains("GCS") {
        "Google Cloud Storage"
    } else if text.contains("Azure") {
        "Azure"
    } else {
        "the store"
    }
}

/// Returns how to provide credentials for the store that an error's text names.
#[cfg(feature = "network")]
fn credentials_help(text: &str) -> &'static str {
    if text.contains("GCS") {
        "set GOOGLE_SERVICE_ACCOUNT to a key file, or run `gcloud auth application-default login`"
    } else if text.contains("Azure") {
        "set AZURE_STORAGE_ACCOUNT_NAME, and AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN"
    } else {
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a --profile"
    }
}

/// Returns the cause in an error's text on one line, without XML bodies and retry logs.
#[cfg(feature = "network")]
fn cause_text(text: &str, code: &str) -> String {
    let line = text.split(['\n', '<']).next().unwrap_or_default();
    let line = line.rsplit(" - ").next().unwrap_or(line).trim().trim_end_matches(':');
    if code.is_empty() { line.to_owned() } else { format!("{line} {code}") }
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
