//! Markers that begin lists, fields and options.

/// Whether a text is a marker, or begins with it and white space.
pub(super) fn is_marker(text: &str, marker: &str) -> bool {
    text.strip_prefix(marker)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\x0b', '\x0c']))
}

/// Returns the length of the marker of a bullet list.
pub(super) fn bullet(text: &str) -> Option<usize> {
    let bullet = text.chars().next().filter(|char| matches!(char, '-' | '+' | '*' | '•' | '‣' | '⁃'))?;
    let rest = &text[bullet.len_utf8()..];
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(bullet.len_utf8())
}

/// Returns the length of `1.`, `(a)`, `iv)` or `#.`.
pub(super) fn enumerator(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let is_number = |byte: &u8| byte.is_ascii_digit();
    let is_roman = |byte: &u8| b"ivxlcdm".contains(byte);
    let is_upper_roman = |byte: &u8| b"IVXLCDM".contains(byte);
    let count = |is_part: &dyn Fn(&u8) -> bool| inner.bytes().take_while(|byte| is_part(byte)).count();
    let length = match inner.as_bytes().first()? {
        b'#' => 1,
        byte if byte.is_ascii_digit() => count(&is_number),
        byte if byte.is_ascii_alphabetic() => count(&is_roman).max(count(&is_upper_roman)).max(1),
        _ => return None,
    };
    let is_parenthesized = inner.len() < text.len();
    let is_closed = match inner.as_bytes().get(length) {
        Some(b')') => true,
        Some(b'.') => !is_parenthesized,
        _ => false,
    };
    let end = text.len() - inner.len() + length + 1;
    (is_closed && text[end..].chars().next().is_none_or(|next| matches!(next, ' ' | '\t'))).then_some(end)
}

/// Returns the length of `:name:`.
pub(super) fn field_marker(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b':') || matches!(bytes.get(1), None | Some(b':' | b' ')) {
        return None;
    }
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b':' => match bytes.get(at + 1) {
                None | Some(b' ' | b'\t') => return (bytes[at - 1] != b' ').then_some(at + 1),
                Some(b'`') => return None,
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the length of options of a command, as in `-a, --all=WHEN`, if their description is after two spaces or on
/// the next line.
pub(super) fn option_marker(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let (without, with) = command_option(&text[at..])?;
        let is_end = |end: usize| {
            text[end..].is_empty() || text[end..].starts_with("  ") || text[end..].starts_with('\t')
        };
        let next = [with, without].into_iter().flatten().map(|length| at + length);
        let end = next.into_iter().find(|end| is_end(*end) || text[*end..].starts_with(", "))?;
        if is_end(end) {
            return Some(end);
        }
        at = end + 2;
    }
}

/// Returns the length of an option, without and with its argument.
fn command_option(text: &str) -> Option<(Option<usize>, Option<usize>)> {
    let alphanumeric = |from: usize| {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        from + text.as_bytes()[from..].iter().take_while(|byte| is_name(byte)).count()
    };
    let is_long = text.starts_with("--") || text.starts_with('/');
    let mark = if text.starts_with("--") { 2 } else { usize::from(text.starts_with(['-', '+', '/'])) };
    if mark == 0 || !text.as_bytes().get(mark).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let name = if is_long { alphanumeric(mark) } else { mark + 1 };
    let argument = match text.as_bytes().get(name) {
        Some(b' ') => name + 1,
        Some(b'=') if is_long => name + 1,
        _ if is_long => return Some((Some(name), None)),
        _ => name,
    };
    let end = match text.as_bytes().get(argument) {
        Some(b'<') => text[argument + 1..]
            .find(['<', '>'])
            .filter(|length| *length > 0 && text[argument + 1 + length..].starts_with('>'))
            .map(|length| argument + length + 2),
        Some(byte) if byte.is_ascii_alphabetic() => Some(alphanumeric(argument)),
        _ => None,
    };
    Some((Some(name), end))
}
