//! Writes locations for terminals, as links if the terminal supports them.

use super::phrases;
use super::report_view::{Lead, View};
use crate::report::finding::{ImportPlace, SourcePlace};
use sitegate_base::sanitize::visible;

/// A location: a file, and the position in it.
#[derive(PartialEq, Eq)]
pub(super) struct Place {
    /// Path from the working directory.
    file: String,
    position: String,
}

impl Place {
    /// Returns the main location of a cause.
    pub fn of_lead(view: &View<'_>, lead: &Lead<'_>) -> Place {
        match lead.source {
            None => Place::in_export(view, lead.finding),
            Some(SourcePlace { file, line, column, .. }) => {
                Place { file: file.to_string(), position: phrases::line_and_column((*line, *column)) }
            }
        }
    }

    /// Returns the location of a finding in the export or in the contract.
    pub fn in_export(view: &View<'_>, finding: u32) -> Place {
        let finding = view.finding(finding);
        Place { file: view.path(finding), position: phrases::position(finding) }
    }

    /// Returns the location of an import in the export.
    pub fn of_import(view: &View<'_>, import: &ImportPlace) -> Place {
        let position = phrases::line_and_column((import.line, import.column));
        Place { file: view.path_of_file(&import.file), position }
    }

    /// Returns the file and position, or the folder of the export.
    pub fn text(&self) -> String {
        let file = visible(&self.file);
        match file.strip_suffix("/.") {
            Some(folder) => folder.to_owned(),
            None if file == "." => file.into_owned(),
            None => format!("{file}:{}", self.position),
        }
    }

    /// Returns the text, as a link if the terminal supports links.
    pub fn shown(&self, view: &View<'_>) -> String {
        match view.file_url(&self.file) {
            Some(url) if view.options.hyperlinks => hyperlink(&url, &self.text()),
            _ => self.text(),
        }
    }
}

/// Returns a link for terminals: the sequence OSC 8.
pub(super) fn hyperlink(url: &str, text: &str) -> String {
    format!("\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\")
}
