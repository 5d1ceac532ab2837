//! What can go wrong in publishing, and the exit code that tells a script which.

use std::fmt;

use sitegate_base::sanitize::visible;
use sitegate_base::url_secrets::without_secrets;

/// How a command of the publishing side ends, as its exit code. Each tells a script what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The export is not what passed the check.
    Refused = 1,
    /// The command cannot begin: arguments, contract, seal or target.
    Usage = 2,
    /// The store does not accept the credentials, or the clock.
    Credentials = 3,
    /// A guard stopped the plan: drift, deletions, vanished pages.
    Guard = 4,
    /// Another publisher holds the target.
    Held = 5,
    /// It failed before anything that visitors see was changed.
    Failed = 6,
    /// It failed while pages were being switched; running it again completes it.
    Interrupted = 7,
    /// The live site does not answer as published.
    Unverified = 8,
    /// The live site did not answer as published, and an earlier release was put back.
    RolledBack = 9,
    /// The live site does not answer as published, and no earlier release could be put back: it is live.
    StillLive = 10,
    /// It was interrupted, as by Ctrl-C (128 and the number of the signal, as shells count).
    Interrupt = 130,
    /// It was asked to end.
    Terminate = 143,
}

/// The exit codes as help texts state them.
pub const EXIT_CODES: &str = "Exit codes:
  0  done, or nothing to do
  1  refused: the export is not what passed the check
  2  cannot begin: arguments, contract, seal or target
  3  the store refused the credentials, or the clock is wrong
  4  a guard stopped the plan; its message names the option that lets it pass
  5  another publisher holds the target
  6  failed; nothing that visitors see was changed
  7  failed while pages were switched; running it again completes it
  8  the live site does not answer as published
  9  the live site did not answer as published and was rolled back
 10  the live site does not answer as published, and rolling back failed
130, 143  stopped by Ctrl-C or by a request to end, and the target given back";

/// A failure with its exit code, and what to do about it where that is known.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Failure {
    /// Which kind.
    pub exit: Exit,
    /// What happened, in one sentence without a full stop.
    pub message: String,
    /// The names that it is about.
    pub names: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Whether a write was not sent because the hold on the target had lapsed: once it is ours anew, it may be sent.
    pub(crate) has_lapsed: bool,
}

/// Names that a message shows before it only counts.
const SHOWN: usize = 10;

impl Failure {
    /// A failure that says nothing but what happened. No address in its words tells a secret.
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure {
            exit,
            message: without_secrets(&message.into()),
            names: Vec::new(),
            help: None,
            has_lapsed: false,
        }
    }

    /// Adds the names that it is about.
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = String>) -> Failure {
        self.names = names.into_iter().map(|name| without_secrets(&name)).collect();
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(without_secrets(&help.into()));
        self
    }

    /// Adds more of what to do about it.
    #[must_use]
    pub(crate) fn help_also(self, more: &str) -> Failure {
        let help = self.help.as_ref().map_or_else(|| more.to_owned(), |help| format!("{help}; {more}"));
        self.help(help)
    }

    /// The same failure; where its exit code would say that nothing was changed, it says that a switch was interrupted.
    #[must_use]
    pub fn while_switching(mut self) -> Failure {
        if matches!(self.exit, Exit::Failed | Exit::Credentials | Exit::Refused) {
            self.exit = Exit::Interrupted;
        } else if !self.is_stop() {
            return self;
        }
        self.help_also("some pages may be new and others old; run the same command again to complete it")
    }

    /// Whether someone asked to stop.
    pub(crate) fn is_stop(&self) -> bool {
        matches!(self.exit, Exit::Interrupt | Exit::Terminate)
    }

    /// Something that this program was built without.
    pub fn without_network(what: &str) -> Failure {
        let message = format!("{what} needs the network, and this program was built without it");
        Failure::new(Exit::Usage, message)
            .help("build it with its default features: `cargo install --path checker/sitegate`")
    }

    /// A store that cannot be asked at all, for want of a setting.
    #[cfg(feature = "network")]
    pub fn unusable(error: &object_store::Error) -> Failure {
        let failure = Failure::store(error, "cannot use the target");
        Failure { exit: Exit::Usage, ..failure }.help(without_credentials(&error.to_string()))
    }

    /// What a store's error means.
    #[cfg(feature = "network")]
    pub fn store(error: &object_store::Error, action: &str) -> Failure {
        use object_store::Error;
        let mut text = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            // What gives the credentials has already said what is wrong.
            if let Some(told) = inner.downcast_ref::<Failure>() {
                return told.clone();
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
            "RequestTimeTooSkewed" => Some("this machine's clock is wrong; set it, then run again"),
            "SignatureDoesNotMatch" => Some("the secret key does not belong to the access key"),
            "InvalidAccessKeyId" => Some("the store does not know this access key"),
            "ExpiredToken" | "InvalidToken" | "TokenRefreshRequired" => {
                Some("the session's credentials have expired; sign in again")
            }
            "AccessDenied" => Some(
                "these credentials lack a right; `sitegate edge s3-website` prints the policy that is needed",
            ),
            "NoSuchBucket" => Some("there is no such bucket; create it, or correct its name"),
            _ => None,
        };
        let denied = matches!(error, Error::PermissionDenied { .. } | Error::Unauthenticated { .. });
        let no_credentials = text.contains("169.254.169.254") || text.contains("InstanceCredentials");
        let (exit, message, help) = if code == "NoSuchBucket" {
            (Exit::Usage, format!("{action}: NoSuchBucket"), known)
        } else if let Some(known) = known {
            (Exit::Credentials, format!("{action}: {code}"), Some(known))
        } else if no_credentials {
            let message = format!("{action}: no credentials for {}", store_name(&text));
            (Exit::Credentials, message, Some(without_credentials(&text)))
        } else if denied {
            (Exit::Credentials, format!("{action}: {} refused the credentials", store_name(&text)), None)
        } else {
            (Exit::Failed, format!("{action}: {}", plain(&text, &code)), None)
        };
        let failure = Failure::new(exit, message);
        match help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

/// The store that an error's text names.
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

/// Where credentials would have been found, by the store that an error's text names.
#[cfg(feature = "network")]
fn without_credentials(text: &str) -> &'static str {
    if text.contains("GCS") {
        "set GOOGLE_SERVICE_ACCOUNT to a key file, or run `gcloud auth application-default login`"
    } else if text.contains("Azure") {
        "set AZURE_STORAGE_ACCOUNT_NAME, and AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN"
    } else {
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a --profile"
    }
}

/// The cause in an error's text, on one line, without the XML that servers send and the tale of the retries.
#[cfg(feature = "network")]
fn plain(text: &str, code: &str) -> String {
    let line = text.split(['\n', '<']).next().unwrap_or_default();
    let line = line.rsplit(" - ").next().unwrap_or(line).trim().trim_end_matches(':');
    if code.is_empty() { line.to_owned() } else { format!("{line} {code}") }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.message))?;
        for name in self.names.iter().take(SHOWN) {
            write!(f, "\n  {}", visible(name))?;
        }
        if self.names.len() > SHOWN {
            write!(f, "\n  and {} more", self.names.len() - SHOWN)?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  = {}", visible(help)),
            None => Ok(()),
        }
    }
}
