//! The result of an edit of redirects: the new text, the changes, the refusals, and the errors.

use serde::Serialize;
use sitegate_host::redirects::RedirectsError;

use crate::contract::ContractError;
use crate::redirect_proposals::RedirectProposal;

/// The new text of a file, and what has changed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedirectEdit {
    /// The text of the file.
    pub text: String,
    /// Number of entries that were added.
    pub added: usize,
    /// Entries that were changed or removed.
    pub changed: Vec<ChangedRedirect>,
    /// Redirects that cannot be added.
    pub refused: Vec<RefusedRedirect>,
}

/// An entry that was changed or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedRedirect {
    /// Its source path.
    pub from: String,
    /// Its destination before.
    pub was: String,
    /// Its destination now; `None` if it was removed, because a page has its address.
    pub to: Option<String>,
}

/// A redirect that cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedRedirect {
    /// The address that stays lost.
    pub from: String,
    /// The destination that it should have.
    pub to: String,
    /// Why, as a part of a sentence.
    pub reason: String,
}

impl RefusedRedirect {
    pub(super) fn new(redirect: &RedirectProposal, reason: impl Into<String>) -> RefusedRedirect {
        RefusedRedirect { from: redirect.from.clone(), to: redirect.to.clone(), reason: reason.into() }
    }
}

/// No redirect can be proved.
#[derive(Debug, thiserror::Error)]
pub enum RedirectEditError {
    /// The contract would not be valid.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The redirects of the site cannot be read.
    #[error(transparent)]
    Redirects(#[from] RedirectsError),
}
