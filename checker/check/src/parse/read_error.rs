//! The reasons why nothing can be promised of a file.

use lol_html::errors::RewritingError;

/// The reason why nothing can be promised of a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its offsets do not fit.
    #[error("larger than 2 GiB")]
    TooLarge,
    /// The contract's selectors cannot be matched.
    #[error(transparent)]
    Selector(#[from] RewritingError),
    /// Far more text is selected than the page holds.
    #[error(
        "so many elements that match `{select}` lie in each other that their texts are {times} times the page; select fewer"
    )]
    TooMuchText {
        /// The selector.
        select: String,
        /// How many times the page is read at the most.
        times: usize,
    },
}
