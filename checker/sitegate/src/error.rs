//! Errors of commands: the failed operation, its cause and how to fix it. The variant decides the exit code.

use std::io;
use std::path::Path;

use sitegate_base::system_error::describe;
use sitegate_base::url_secrets::without_secrets;
use sitegate_check::{BaselineError, ContractError, DraftError, MigrationError, SealError};
use sitegate_publish::failure::{Failure, FailureKind};
use thiserror::Error;

/// An error that ends a command without a result.
#[derive(Debug, Error)]
pub enum Error {
    /// The arguments are invalid or contradictory, or name something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// The contract is invalid.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The seal cannot be read or written.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The check could not run.
    #[error(transparent)]
    Check(#[from] sitegate_check::Error),
    /// A baseline would be incomplete because a file cannot be read.
    #[error("baseline not changed, because not everything could be checked: {0}")]
    UnreadableFile(String),
    /// A baseline cannot be written without pages.
    #[error("baseline not changed, because there is no page to check")]
    NoPages,
    /// A baseline cannot be changed after a part of a check.
    #[error("baseline not changed, because the check was stopped before its end")]
    StoppedCheck,
    /// The export that is being watched has lost all its pages.
    #[error("{0}: no pages left; waiting for the next build")]
    PagesRemoved(String),
    /// The export that is being watched does not exist yet.
    #[error("there is no folder `{0}` yet; waiting for it")]
    NotBuilt(String),
    /// The baseline cannot be written.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// No contract can be drafted.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// The configuration of another checker cannot be converted.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// A host cannot serve the site as the contract requires.
    #[error(transparent)]
    Server(#[from] sitegate_server::ServerError),
    /// The network cannot be used.
    #[cfg(feature = "network")]
    #[error(transparent)]
    Network(Box<dyn std::error::Error + Send + Sync>),
    /// A system call failed.
    #[error("{context}")]
    System { context: String, source: io::Error },
    /// Files cannot be watched.
    #[error("{context}")]
    Watch { context: String, source: notify::Error },
    /// Standard output cannot be written to.
    #[error("cannot write to standard output")]
    Output(#[from] io::Error),
    /// A publishing command failed.
    #[error(transparent)]
    Publish(#[from] Failure),
    /// A publish failed. The last line says what visitors still have.
    #[error("{}\n{still_live}", .error.message())]
    NotPublished { error: Box<Error>, still_live: String },
}

impl Error {
    /// Returns an error in the arguments.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::Usage(message.into())
    }

    /// Adds a context to a system error.
    pub fn system(context: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let context = context.into();
        move |source| Error::System { context, source }
    }

    /// Adds the path of a file to a system error.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        Error::system(path.display().to_string())
    }

    /// Returns the exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Publish(failure) => failure.kind.exit_code(),
            Error::NotPublished { error, .. } => error.exit_code(),
            _ => FailureKind::Usage.exit_code(),
        }
    }

    /// Returns the error and its sources on one line, without secrets in URLs.
    pub fn message(&self) -> String {
        let mut message = self.to_string();
        // The message about a contract is complete, and ends with its line.
        let is_complete =
            matches!(self, Error::Contract(_) | Error::Check(sitegate_check::Error::Contract(_)));
        let mut source = if is_complete { None } else { std::error::Error::source(self) };
        while let Some(error) = source {
            let text = match (self, error.downcast_ref::<io::Error>()) {
                (Error::System { .. }, Some(error)) => describe(error),
                _ => error.to_string(),
            };
            // Some errors already contain the text of their source.
            if !message.contains(&text) {
                message = format!("{message}: {text}");
            }
            source = error.source();
        }
        without_secrets(&message)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use sitegate_publish::failure::{Failure, FailureKind};

    use super::Error;

    #[test]
    fn message_contains_the_context_and_all_sources() {
        let error = Error::file(Path::new("out/a.json"))(io::Error::other("the disk is full"));
        assert_eq!(error.message(), "out/a.json: the disk is full");
        let closed = Error::Output(io::Error::other("closed"));
        assert_eq!(closed.message(), "cannot write to standard output: closed");
        let failure = Failure::new(FailureKind::Held, "held by run 3").help("wait");
        assert_eq!(Error::from(failure).message(), "held by run 3\n  = wait");
    }

    #[test]
    fn variant_decides_the_exit_code() {
        assert_eq!(Error::usage("no").exit_code(), 2);
        assert_eq!(Error::from(Failure::new(FailureKind::Guard, "stopped")).exit_code(), 4);
    }
}
