//! Escapes untrusted text (control characters, bidi marks, CI commands) before it reaches terminals and logs.

use std::borrow::Cow;
use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

/// The CI systems that obey commands in the log of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogReaders {
    /// GitHub Actions, and Forgejo and Gitea, which run the same: `::error::` at the start of a line, `##[…]`.
    pub github: bool,
    /// Azure Pipelines: `##vso[…]`, `##[…]`.
    pub azure: bool,
    /// TeamCity: `##teamcity[…]`.
    pub teamcity: bool,
}

impl LogReaders {
    /// All of them.
    pub const ALL: LogReaders = LogReaders { github: true, azure: true, teamcity: true };

    /// Returns those of this process, which their variables name.
    pub fn of_process() -> LogReaders {
        static READERS: OnceLock<LogReaders> = OnceLock::new();
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        *READERS.get_or_init(|| LogReaders {
            github: is_set("GITHUB_ACTIONS"),
            azure: is_set("TF_BUILD"),
            teamcity: is_set("TEAMCITY_VERSION"),
        })
    }

    /// Whether `##NAME[` begins a command.
    fn obeys(self, name: &[u8]) -> bool {
        match name {
            b"" => self.github || self.azure,
            b"vso" => self.azure,
            b"teamcity" => self.teamcity,
            _ => false,
        }
    }
}

/// Whether a character is invisible and may affect a terminal, a log or the order of other characters: control
/// characters, line ends, Unicode's bidi marks, joiners and tags.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes a text for one line: invisible characters (`\u{1b}`), and commands of the CI system that reads the log.
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_to(text, LogReaders::of_process())
}

/// Escapes a text for one line that these systems read.
fn visible_to(text: &str, readers: LogReaders) -> Cow<'_, str> {
    let is_command = readers.github && text.trim_start().starts_with("::");
    if !is_command && !text.chars().any(is_unseen) && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut is_start = true;
    for (at, c) in text.char_indices() {
        match c {
            ':' if is_start && is_command => shown.push_str("\\u{3a}"),
            '#' if is_marker(&text.as_bytes()[at..], readers) => shown.push_str("\\u{23}"),
            c if is_unseen(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
        is_start &= c.is_whitespace();
    }
    Cow::Owned(shown)
}

/// Formats a path with `/` as separator, on Windows, too.
pub fn slashed(path: &Path) -> String {
    let shown = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { shown.into_owned() } else { shown.replace('\\', "/") }
}

/// Whether a text begins with the start of a command for these systems, possibly with styles in between.
fn is_marker(text: &[u8], readers: LogReaders) -> bool {
    let text = &text[..text.len().min(MAX_MARKER)];
    let (mut at, mut hashes, mut name) = (0, 0, Vec::new());
    while let Some(byte) = text.get(at) {
        if let Some(length) = style(&text[at..]) {
            at += length;
            continue;
        }
        match byte {
            b'#' if hashes < 2 => hashes += 1,
            b'[' => return hashes == 2 && readers.obeys(&name),
            byte if hashes == 2 && name.len() < MAX_MARKER_LETTERS && byte.is_ascii_alphabetic() => {
                name.push(byte.to_ascii_lowercase());
            }
            _ => return false,
        }
        at += 1;
    }
    false
}

/// Maximum length of a command marker with styles in it, and of the letters between `##` and `[`.
const MAX_MARKER: usize = 64;
const MAX_MARKER_LETTERS: usize = 16;

/// Bytes that may begin something to escape. At the start of a line, `:` does, too.
const MAY_NEED_ESCAPE: [bool; 256] = {
    let mut matters = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_control = byte < 0x20 && byte != b'\t' as usize;
        matters[byte] = is_control || matches!(byte, 0x23 | 0x7f | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3);
        byte += 1;
    }
    matters
};

/// Size of the buffer, in bytes.
const BUFFER_SIZE: usize = 1 << 13;

/// Maximum length of a sequence that must be seen as a whole: a character, a style, a link, a command marker.
const MAX_SEQUENCE: usize = 2_048;

/// A writer for terminals, logs and files that escapes everything but text, styles, links and line ends. Escapes are
/// those of JSON (`\u001b`), so that JSON keeps its values.
pub struct SanitizingWriter<W: Write> {
    out: W,
    /// Bytes that were written but not passed on yet.
    buffer: Vec<u8>,
    /// Whether the current line has only whitespace and styles so far.
    is_blank: bool,
    /// Whether lines may be commands for GitHub Actions.
    commands: bool,
    /// The systems whose commands are escaped.
    readers: LogReaders,
}

impl<W: Write> SanitizingWriter<W> {
    /// Wraps a writer.
    pub fn new(out: W) -> SanitizingWriter<W> {
        let readers = LogReaders::of_process();
        SanitizingWriter { out, buffer: Vec::new(), is_blank: true, commands: false, readers }
    }

    /// Wraps a writer whose lines may be commands for GitHub Actions, which reads them.
    pub fn with_commands(out: W) -> SanitizingWriter<W> {
        let mut writer = SanitizingWriter::new(out);
        (writer.commands, writer.readers.github) = (true, true);
        writer
    }

    /// Escapes the commands of these systems, instead of those that the process runs on.
    #[must_use]
    pub fn for_readers(mut self, readers: LogReaders) -> SanitizingWriter<W> {
        self.readers = readers;
        self
    }

    /// Passes on the buffer except for the last `keep` bytes, so that each sequence is seen as a whole.
    fn pass(&mut self, keep: usize) -> io::Result<()> {
        let (text, cut) = whole_characters(std::mem::take(&mut self.buffer), keep > 0);
        let bytes = text.as_bytes();
        let end = text.floor_char_boundary(bytes.len().saturating_sub(keep));
        let mut safe = Vec::with_capacity(bytes.len() + 16);
        let mut at = 0;
        while at < end {
            let rest = &bytes[at..end];
            let may_need_escape = |&byte: &u8| MAY_NEED_ESCAPE[usize::from(byte)];
            let next = if self.escapes_lines() {
                rest.iter().position(|byte| may_need_escape(byte) || *byte == b':')
            } else {
                rest.iter().position(may_need_escape)
            };
            let plain = next.unwrap_or(rest.len());
            self.is_blank = self.is_blank && rest[..plain].iter().all(u8::is_ascii_whitespace);
            safe.extend_from_slice(&rest[..plain]);
            at += plain;
            match rest.get(plain) {
                Some(b'\n') => {
                    self.is_blank = true;
                    safe.push(b'\n');
                    at += 1;
                }
                Some(_) => at += self.pass_one(&text[at..], &mut safe),
                None => {}
            }
        }
        self.buffer = [&bytes[at..], &cut].concat();
        self.out.write_all(&safe)
    }

    /// Whether `::` begins a command here.
    fn escapes_lines(&self) -> bool {
        self.readers.github && self.is_blank && !self.commands
    }

    /// Passes on one character or style, and returns its length.
    fn pass_one(&mut self, text: &str, safe: &mut Vec<u8>) -> usize {
        let Some(c) = text.chars().next() else { return 0 };
        if let Some(length) = style(text.as_bytes()).or_else(|| link(text.as_bytes())) {
            safe.extend_from_slice(&text.as_bytes()[..length]);
            return length;
        }
        let is_command = c == ':' && self.escapes_lines() && text.starts_with("::");
        self.is_blank &= c.is_whitespace();
        if is_command || is_unseen(c) || (c == '#' && is_marker(text.as_bytes(), self.readers)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                safe.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
        } else {
            safe.extend_from_slice(&text.as_bytes()[..c.len_utf8()]);
        }
        c.len_utf8()
    }
}

impl<W: Write> Write for SanitizingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > BUFFER_SIZE {
            self.pass(MAX_SEQUENCE)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(0)?;
        self.out.flush()
    }
}

impl<W: Write> Drop for SanitizingWriter<W> {
    fn drop(&mut self) {
        // Callers that need the result call `flush`.
        let _ = self.flush();
    }
}

/// Converts bytes to text, and returns an incomplete character at the end separately.
fn whole_characters(bytes: Vec<u8>, more_may_come: bool) -> (String, Vec<u8>) {
    let (mut bytes, error) = match String::from_utf8(bytes) {
        Ok(text) => return (text, Vec::new()),
        Err(error) => {
            let place = error.utf8_error();
            (error.into_bytes(), place)
        }
    };
    let cut = if error.error_len().is_none() && more_may_come {
        bytes.split_off(error.valid_up_to())
    } else {
        Vec::new()
    };
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|invalid| String::from_utf8_lossy(invalid.as_bytes()).into_owned());
    (text, cut)
}

/// Returns the length of the style at the start of a text: ECMA-48's SGR, `ESC [ 1 ; 31 m`.
fn style(text: &[u8]) -> Option<usize> {
    let parameters = text.strip_prefix(b"\x1b[")?;
    let length = parameters.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    (parameters.get(length) == Some(&b'm')).then_some(length + 3)
}

/// Returns the length of the link at the start of a text: the sequence OSC 8, with a URL of printable ASCII characters.
fn link(text: &[u8]) -> Option<usize> {
    let url = text[..text.len().min(MAX_SEQUENCE)].strip_prefix(b"\x1b]8;;")?;
    let length = url.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    url[length..].starts_with(b"\x1b\\").then_some(length + 7)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Write;

    use proptest::prelude::*;

    use super::{LogReaders, SanitizingWriter, is_unseen, visible_to};

    fn guarded(parts: &[&str]) -> String {
        let mut out = Vec::new();
        let mut guard = SanitizingWriter::new(&mut out).for_readers(LogReaders::ALL);
        for part in parts {
            guard.write_all(part.as_bytes()).unwrap();
        }
        guard.flush().unwrap();
        drop(guard);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn escapes_only_commands_of_the_system_that_reads_the_log() {
        let none = LogReaders::default();
        let text = "::error::x ##[x] ##vso[y] ##teamcity[z] ## [u]";
        for (readers, expected) in [
            (none, text),
            (
                LogReaders { github: true, ..none },
                "\\u{3a}:error::x \\u{23}#[x] ##vso[y] ##teamcity[z] ## [u]",
            ),
            (
                LogReaders { azure: true, ..none },
                "::error::x \\u{23}#[x] \\u{23}#vso[y] ##teamcity[z] ## [u]",
            ),
            (LogReaders { teamcity: true, ..none }, "::error::x ##[x] ##vso[y] \\u{23}#teamcity[z] ## [u]"),
        ] {
            assert_eq!(visible_to(text, readers), expected);
            let mut out = Vec::new();
            SanitizingWriter::new(&mut out).for_readers(readers).write_all(text.as_bytes()).unwrap();
            let expected = expected.replace("\\u{3a}", "\\u003a").replace("\\u{23}", "\\u0023");
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
        assert_eq!(visible_to(":::tip \u{1b}", none), ":::tip \\u{1b}", "control characters always");
    }

    #[test]
    fn escapes_everything_that_terminals_interpret() {
        let visible = |text| visible_to(text, LogReaders::ALL).into_owned();
        assert_eq!(visible("é 😀 a::b #1"), "é 😀 a::b #1");
        assert_eq!(visible("a\u{1b}[31m\n\u{9b}"), "a\\u{1b}[31m\\n\\u{9b}");
        assert_eq!(visible("gpj\u{202e}.exe\u{2066}\u{200b}"), "gpj\\u{202e}.exe\\u{2066}\\u{200b}");
        assert_eq!(visible(" ::error::x"), " \\u{3a}:error::x");
        assert_eq!(visible("a ##vso[task] ##[x] ## x"), "a \\u{23}#vso[task] \\u{23}#[x] ## x");
    }

    #[test]
    fn the_writer_passes_styles_and_lines() {
        assert_eq!(
            guarded(&["\u{1b}[1mé\u{1b}[0m\tx\n", "::error::y\r\n"]),
            "\u{1b}[1mé\u{1b}[0m\tx\n\\u003a:error::y\\u000d\n"
        );
        assert_eq!(
            guarded(&["a\u{1b}]0;x\u{7}\u{1b}[2K\u{202e}\u{e0041}"]),
            "a\\u001b]0;x\\u0007\\u001b[2K\\u202e\\udb40\\udc41"
        );
        assert_eq!(guarded(&["##\u{1b}[1", "mvso[x"]), "\\u0023#\u{1b}[1mvso[x");
        assert_eq!(
            guarded(&["\"x\": \"##", "vso[", "task]\"\n  :", ":x"]),
            "\"x\": \"\\u0023#vso[task]\"\n  \\u003a:x"
        );
        let json = serde_json::to_string(&"\u{202e}##[x]\u{7f}\u{e0041}\u{85}").unwrap();
        let shown = guarded(&[&json]);
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), "\u{202e}##[x]\u{7f}\u{e0041}\u{85}");
        let mut out = Vec::new();
        SanitizingWriter::with_commands(&mut out).write_all(b"::error::a\n").unwrap();
        assert_eq!(out, b"::error::a\n");
    }

    proptest! {
        #[test]
        fn the_output_is_independent_of_chunks(
            parts in prop::collection::vec(prop::sample::select(vec![
                "##", "#", "vso[", "[", ":", "::", "\n", " ", "\u{1b}[1", "m", "\u{1b}", "é", "\u{202e}", "x", "\u{e0041}",
            ]), 0..12),
            long in 0usize..3,
        ) {
            let long = "y".repeat(long * super::BUFFER_SIZE);
            let whole = format!("{long}{}", parts.concat());
            let mut pieces = vec![long.as_str()];
            pieces.extend(parts);
            let found = guarded(&pieces);
            prop_assert_eq!(&found, &guarded(&[&whole]));
            let plain = found.replace("\u{1b}[1m", "").replace("\u{1b}[m", "");
            prop_assert!(!plain.contains("##[") && !plain.contains("##vso["), "{}", plain);
            prop_assert!(plain.chars().all(|c| c == '\n' || !is_unseen(c)), "{}", plain);
            prop_assert!(plain.lines().all(|line| !line.trim_start().starts_with("::")), "{}", plain);
        }
    }
}
