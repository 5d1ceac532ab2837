//! Defines the reasons why a file cannot be parsed.

use sitegate_html::tree::TooDeep;

/// The reason why a file cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its offsets do not fit into 32 bits.
    #[error("larger than 2 GiB")]
    TooLarge,
    /// The contract's selectors cannot be matched.
    #[error("cannot match selectors: {0}")]
    Selector(#[from] TooDeep),
    /// Nested elements select far more text than the page contains.
    #[error(
        "so many nested elements match `{select}` that their texts are {times} times the page; select fewer elements"
    )]
    TooMuchText {
        /// The selector.
        select: String,
        /// The maximum text, as a multiple of the page.
        times: usize,
    },
}
