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
/// A `src` or `href` counts if it is a script, a style sheet, an image, a sound or a video of the same site.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?-u:\.(?:src|href)[ \n]*=[ \n]*["'`](?:[\w.-]|/[^/"'`])[^"'`:\n]*\.(?:css|m?js|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|m4a|og[gv]|wav|webm)["'`?#])|setAttribute\(["'`]src["'`]|url\(|import|new (?:window\.)?Audio|Worker|Worklet|new URL|fetch|webpack|\.push\(\[\[|sourceMappingURL|__VP_|__SSG_|System|static/|pagePath|require\(\[|require\(\{|requirejs|require\.config|require\s*=|define\(["'`\[]|bundlePath|path_to_searchindex|Search\.loadIndex|buildAssetsDir|setDynamicModuleResourcesMap|SwaggerUI|Redoc\.init|createApiReference|\$docsify|Reveal\.initialize"#,
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

/// Replaces a byte that is not ASCII. It may be a part of a name.
const REPLACEMENT: char = '_';

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

/// Parses a script in an unknown encoding: it has that of a page. URLs and keywords are ASCII, so other bytes are replaced
/// one by one, and offsets stay. Loads with such bytes in their URL are left out, and so is a script that does not parse:
/// in its own encoding it may.
pub fn read_undecoded(bytes: &[u8], memory: &mut Memory) -> Script {
    let texts = [ascii, without_pairs];
    let parsed = texts.iter().map(|text| read_script(&text(bytes), memory));
    let Some(mut script) = parsed.into_iter().find(|script| script.unreadable.is_none()) else {
        return Script::default();
    };
    script.loads.retain(|load| {
        let span = load.span.start as usize..load.span.end as usize;
        bytes.get(span).is_none_or(<[u8]>::is_ascii)
    });
    script
}

/// Replaces the bytes of a text that are not ASCII.
pub fn ascii(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { REPLACEMENT }).collect()
}

/// Replaces the characters of a text that are not ASCII, if they have two bytes. In `Shift_JIS`, Big5 and GBK, the second byte
/// may be that of an ASCII character, such as a backslash.
fn without_pairs(bytes: &[u8]) -> String {
    let mut is_second = false;
    let mut replaced = |byte: u8| {
        let is_part = is_second && matches!(byte, b'@'..=b'~') || !byte.is_ascii();
        is_second = !is_second && !byte.is_ascii();
        if is_part { REPLACEMENT } else { char::from(byte) }
    };
    bytes.iter().map(|byte| replaced(*byte)).collect()
}

/// Returns the parser's first error.
fn syntax_error(diagnostics: &oxc_diagnostics::Diagnostics) -> ScriptError {
    let Some(first) = diagnostics.iter().next() else {
        return ScriptError::Syntax { reason: "it is not a script".to_owned(), offset: 0 };
    };
    let offset = first.labels.first().map_or(0, oxc_diagnostics::LabeledSpan::offset);
    ScriptError::Syntax { reason: first.message.to_string(), offset }
}

#[cfg(test)]
mod tests {
    use super::{Memory, read_script, read_undecoded};

    #[test]
    fn reads_scripts_in_unknown_encodings() {
        let addresses = |bytes: &[u8]| {
            let script = read_undecoded(bytes, &mut Memory::default());
            assert_eq!(script.unreadable, None);
            script.loads.into_iter().map(|load| load.address.into_string()).collect::<Vec<_>>()
        };
        // Big5, whose second byte may be a backslash.
        let big5 = b"var t = \"\xa6\xa8\xa5\x5c\"; import('./a.js'); import('./\xa5\x5c.js')";
        assert_eq!(addresses(big5), ["./a.js"]);
        assert!(read_script(&super::ascii(big5), &mut Memory::default()).unreadable.is_some());
        assert_eq!(addresses(b"const caf\xe9 = `\xe9`; import(`./a.js`)"), ["./a.js"]);
        assert!(addresses(b"\xe9 }").is_empty());
    }
}
