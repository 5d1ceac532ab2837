//! Options of directives, such as `:target: url`.

use super::lines::{SourceLine, marked_block};
use super::markers::field_marker;
use super::scanner::RestructuredScanner;

/// An option with its value.
pub(super) struct DirectiveOption {
    pub name: String,
    pub value: Vec<SourceLine>,
}

/// The options of a directive.
#[derive(Default)]
pub(super) struct DirectiveOptions(Vec<DirectiveOption>);

impl DirectiveOptions {
    /// Returns the value of an option.
    pub fn get(&self, name: &str) -> Option<&[SourceLine]> {
        self.0.iter().find(|option| option.name == name).map(|option| option.value.as_slice())
    }
}

impl RestructuredScanner<'_> {
    /// Splits the options from the end of an argument; `None` if they are malformed.
    pub(super) fn options(&self, argument: &mut Vec<SourceLine>) -> Option<DirectiveOptions> {
        let is_option = |line: &SourceLine| line.indent == 0 && field_marker(self.of(*line)).is_some();
        let Some(from) = argument.iter().position(is_option) else {
            return Some(DirectiveOptions::default());
        };
        let lines = argument.split_off(from);
        let mut options = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            let length = field_marker(self.of(line)).filter(|_| line.indent == 0)?;
            let name = self.text[line.start + 1..line.start + length - 1].to_lowercase();
            let start = self.after_marker(line, length)?.0;
            let (value, end) = marked_block(&lines, at, start, false);
            options.push(DirectiveOption { name, value });
            at = end;
        }
        Some(DirectiveOptions(options))
    }
}
