//! The error that ends a command: what was being done, why it failed, and what to do. Its kind decides the exit code.

use std::io;
use std::path::Path;

use sitegate_base::url_secrets::without_secrets;
use sitegate_check::internal::contract::ContractError;
use sitegate_check::internal::init::DraftError;
use sitegate_check::internal::seal::SealError;
#[cfg(feature = "network")]
use sitegate_network::NetworkError;
use sitegate_publish::failure::{Failure, FailureKind};
use thiserror::Error;

/// Why a command ended without its result.
#[derive(Debug, Error)]
pub enum Error {
    /// The arguments contradict each other, or name something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// The contract cannot be used.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The seal cannot be read or written.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The check could not run.
    #[error(transparent)]
    Check(#[from] sitegate_check::Error),
    /// The result of the check cannot be used for what was asked.
    #[error("{0}")]
    Result(String),
    /// No contract can be drafted.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// A host cannot serve the site as the contract says.
    #[error(transparent)]
    Hosting(#[from] sitegate_hosting::HostingError),
    /// The network could not be used.
    #[cfg(feature = "network")]
    #[error(transparent)]
    Network(Box<NetworkError>),
    /// The system refused to read, write or run something.
    #[error("{context}")]
    System { context: String, source: io::Error },
    /// The system refused to report changes of files.
    #[error("{context}")]
    Watch { context: String, source: notify::Error },
    /// Standard output cannot be written to.
    #[error("cannot write to standard output")]
    Output(#[from] io::Error),
    /// A publishing command failed.
    #[error(transparent)]
    Publish(#[from] Failure),
}

#[cfg(feature = "network")]
impl From<NetworkError> for Error {
    fn from(error: NetworkError) -> Error {
        Error::Network(Box::new(error))
    }
}

impl Error {
    /// An error in the arguments.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::Usage(message.into())
    }

    /// Adds what was being done to an error of the system.
    pub fn system(context: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let context = context.into();
        move |source| Error::System { context, source }
    }

    /// Adds the path of the file to an error of the system.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        Error::system(path.display().to_string())
    }

    /// The exit code.
    pub fn exit(&self) -> FailureKind {
        match self {
            Error::Publish(failure) => failure.kind,
            _ => FailureKind::Usage,
        }
    }

    /// The error and its sources on one line, without the secrets of URLs.
    pub fn message(&self) -> String {
        let mut message = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(error) = source {
            let text = error.to_string();
            // Some errors repeat their source.
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
    fn a_message_names_the_context_and_its_sources() {
        let error = Error::file(Path::new("out/a.json"))(io::Error::other("the disk is full"));
        assert_eq!(error.message(), "out/a.json: the disk is full");
        let closed = Error::Output(io::Error::other("closed"));
        assert_eq!(closed.message(), "cannot write to standard output: closed");
        let failure = Failure::new(FailureKind::Held, "held by run 3").help("wait");
        assert_eq!(Error::from(failure).message(), "held by run 3\n  = wait");
    }

    #[test]
    fn the_kind_decides_the_exit_code() {
        assert_eq!(Error::usage("no").exit(), FailureKind::Usage);
        assert_eq!(Error::from(Failure::new(FailureKind::Guard, "stopped")).exit(), FailureKind::Guard);
    }
}
