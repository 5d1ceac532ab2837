//! Parses one script and reads its syntax tree, unless it certainly loads nothing.

use std::sync::LazyLock;

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use regex::bytes::Regex;

use super::facts::{Script, ScriptError};
use super::{data, nesting, reader};

/// Words of the language or of bundlers; every script that loads something contains one.
///
/// A `src` or `href` counts if it is a script or a style sheet of the same site.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?-u:\.(?:src|href)[ \n]*=[ \n]*["'`](?:[\w.-]|/[^/"'`])[^"'`:\n]*\.(?:css|m?js)["'`?#])|setAttribute\(["'`]src["'`]|url\(|import|Worker|Worklet|new URL|fetch|webpack|\.push\(\[\[|sourceMappingURL|__VP_|__SSG_|System|static/|pagePath|require\(\[|require\(\{|requirejs|require\.config|require\s*=|define\(["'`\[]|bundlePath|path_to_searchindex|buildAssetsDir|setDynamicModuleResourcesMap|SwaggerUI|Redoc\.init|createApiReference|\$docsify|Reveal\.initialize"#,
    )
    .ok()
});

/// Whether a script may load anything. If not, it need not be parsed.
pub fn may_load(text: &[u8]) -> bool {
    WORDS.as_ref().is_none_or(|words| words.is_match(text))
}

/// Memory of the parser, to be reused for many scripts.
#[derive(Default)]
pub struct Memory(Allocator);

/// Parses a script of less than 4 GiB: first by its syntax (as a module if it has module syntax), then as a classic
/// script. The thread needs a stack of [`STACK_SIZE`](crate::STACK_SIZE) bytes.
///
/// A script that cannot be parsed has no facts except [`Script::unreadable`].
pub fn read_script(text: &str, memory: &mut Memory) -> Script {
    if data::is_plain_data(text) { Script::default() } else { read_tree(text, memory) }
}

/// Parses a script that is not plain data.
pub(super) fn read_tree(text: &str, Memory(memory): &mut Memory) -> Script {
    if let Some(offset) = nesting::too_deep(text) {
        return Script { unreadable: Some(ScriptError::TooDeep { offset }), ..Script::default() };
    }
    let mut refused = None;
    for goal in [SourceType::unambiguous(), SourceType::script()] {
        memory.reset();
        let parsed = Parser::new(memory, text, goal).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            refused.get_or_insert_with(|| syntax_error(&parsed.diagnostics));
            continue;
        }
        return reader::read_program(&parsed.program, text);
    }
    Script { unreadable: refused, ..Script::default() }
}

/// Replaces the bytes of a script that are not ASCII, so that a script in an unknown encoding becomes a text of the
/// same length. URLs and keywords are ASCII, and offsets stay.
pub fn ascii(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '_' }).collect()
}

/// Returns the parser's first error.
fn syntax_error(diagnostics: &oxc_diagnostics::Diagnostics) -> ScriptError {
    let Some(first) = diagnostics.iter().next() else {
        return ScriptError::Syntax { reason: "it is not a script".to_owned(), offset: 0 };
    };
    let offset = first.labels.first().map_or(0, oxc_diagnostics::LabeledSpan::offset);
    ScriptError::Syntax { reason: first.message.to_string(), offset }
}
