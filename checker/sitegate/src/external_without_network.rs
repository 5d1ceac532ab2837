//! What stands for asking other hosts in a program that was built without the network: it cannot begin.

use std::convert::Infallible;

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::external::{ExternalAnswers, ExternalLinks};
use sitegate_publish::failure::Failure;
use url::Url;

use crate::error::Error;

/// Nobody.
pub struct NobodyAsked(Infallible);

impl NobodyAsked {
    pub fn begin(_: &Contract, _: bool) -> Result<NobodyAsked, Error> {
        Err(Failure::without_network("asking other hosts").into())
    }

    pub fn line(&self) -> Option<String> {
        match self.0 {}
    }

    pub fn is_stopped(&self) -> bool {
        match self.0 {}
    }
}

impl ExternalLinks for NobodyAsked {
    fn submit(&self, _: &Url) -> bool {
        match self.0 {}
    }

    fn answers(&self) -> ExternalAnswers {
        match self.0 {}
    }
}
