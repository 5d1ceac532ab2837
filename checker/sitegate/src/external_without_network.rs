//! Replaces the checker of external links in a program built without the network. It cannot be started.

use std::convert::Infallible;
use std::time::Duration;

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::external::{ExternalAnswers, ExternalLinks};
use sitegate_publish::failure::Failure;
use url::Url;

use crate::error::Error;

/// A checker that cannot exist.
pub struct NoExternalChecker(Infallible);

impl NoExternalChecker {
    pub fn start(_: &Contract, _: bool, _: Option<Duration>) -> Result<NoExternalChecker, Error> {
        Err(Failure::without_network("checking external links").into())
    }

    pub fn progress_message(&self) -> Option<String> {
        match self.0 {}
    }

    pub fn is_stopped(&self) -> bool {
        match self.0 {}
    }
}

impl ExternalLinks for NoExternalChecker {
    fn submit(&self, _: &Url) -> bool {
        match self.0 {}
    }

    fn answers(&self) -> ExternalAnswers {
        match self.0 {}
    }
}
