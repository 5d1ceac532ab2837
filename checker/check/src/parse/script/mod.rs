//! Reads one script: what it makes a browser load, and by which words. The syntax is ECMAScript's, by oxc's parser; what
//! bundlers write in it is read by one recogniser each.

mod address;
pub(super) mod bundlers;
mod data;
mod facts;
mod import_map;
mod load;
mod reader;
mod speculation;
mod syntax;
mod unread;

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

pub use bundlers::loads_of_bundles;
pub use facts::{Bundled, Script};
pub use import_map::{ImportMap, Mapping, parse_import_map};
pub use load::{Against, Goal, Grade, ScriptLoad};
pub(super) use speculation::parse_speculation_rules;
pub(crate) use unread::STACK;
pub(super) use unread::may_load;

/// Reads a script, first as what it says it is itself (a module where it has a module's syntax), then as a classic
/// script. `memory` is scratch space.
pub fn read_script(text: &str, memory: &mut Allocator) -> Script {
    match data::is_plain(text) {
        true => Script::default(),
        false => read_tree(text, memory),
    }
}

/// [`read_script`] of one that is more than data.
fn read_tree(text: &str, memory: &mut Allocator) -> Script {
    if let Some(at) = unread::too_deep(text) {
        let reason = "it is nested too deeply to be read".to_owned();
        return Script { unreadable: Some((reason, at)), ..Script::default() };
    }
    let mut refused = None;
    for goal in [SourceType::unambiguous(), SourceType::script()] {
        memory.reset();
        let parsed = Parser::new(memory, text, goal).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            refused.get_or_insert_with(|| why(&parsed.diagnostics));
            continue;
        }
        return reader::read_program(&parsed.program, text);
    }
    Script { unreadable: refused, ..Script::default() }
}

/// A script in an encoding that is not known, as a text of the same length: what matters is ASCII, and places stay.
pub(crate) fn ascii(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '_' }).collect()
}

/// The parser's first reason, and where it gave up.
fn why(diagnostics: &oxc_diagnostics::Diagnostics) -> (String, u32) {
    let Some(first) = diagnostics.iter().next() else { return ("it is no script".to_owned(), 0) };
    let at = first.labels.first().map_or(0, |label| label.offset());
    (first.message.to_string(), at)
}
