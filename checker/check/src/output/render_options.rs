//! Options of the output formats.

use std::path::PathBuf;

/// The width of a text that is not written to a terminal, in columns.
const DEFAULT_WIDTH: usize = 100;

/// Options of the output formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether to list every cause and all its locations.
    pub all: bool,
    /// Whether to list only errors.
    pub quiet: bool,
    /// The folder that the report is written to, for relative links; empty if it is [`RenderOptions::directory`].
    pub folder: PathBuf,
    /// The folder that source paths in the report are relative to: the working directory of the check.
    pub directory: PathBuf,
    /// The URL that opens a location in an editor, with `{path}`, `{line}` and `{column}`, for
    /// [`super::OutputFormat::Html`].
    pub editor: Option<String>,
    /// The width of the terminal in columns, for [`super::OutputFormat::Human`].
    pub width: usize,
    /// Whether the terminal shows links (the sequence OSC 8), for [`super::OutputFormat::Human`].
    pub hyperlinks: bool,
    /// Number of findings that `--fix` would fix here, for [`super::OutputFormat::Human`]: the state of the sources decides
    /// which it may edit. If it is not known, as for a saved report, all certain fixes count.
    pub fixable: Option<usize>,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            all: false,
            quiet: false,
            folder: PathBuf::new(),
            directory: PathBuf::new(),
            editor: None,
            width: DEFAULT_WIDTH,
            hyperlinks: false,
            fixable: None,
        }
    }
}
