//! Splits files with lines `Name: value`: `robots.txt`, `security.txt`, and the `_headers` of hosts.

/// A line with a name and a value.
pub struct Field<'s> {
    /// The name, without white space around it.
    pub name: &'s [u8],
    /// The value, without white space around it.
    pub value: &'s [u8],
    /// Offset of the value.
    pub at: usize,
    /// Whether there is white space before the name.
    pub is_indented: bool,
}

impl<'s> Field<'s> {
    /// Whether the field has this name, in any case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value up to a `#`.
    pub fn without_comment(&self) -> &'s [u8] {
        let end = memchr::memchr(b'#', self.value).unwrap_or(self.value.len());
        self.value[..end].trim_ascii_end()
    }
}

/// Returns the lines that have a name and a value. A byte order mark is left out, as by crawlers (RFC 9309, 2.3).
pub fn fields(source: &[u8]) -> impl Iterator<Item = Field<'_>> {
    let text = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
    let mut start = source.len() - text.len();
    text.split(|&byte| byte == b'\n').filter_map(move |line| {
        let line_start = start;
        start += line.len() + 1;
        let is_comment = line.starts_with(b"#");
        let colon = if is_comment { None } else { memchr::memchr(b':', line) }?;
        let rest = &line[colon + 1..];
        let at = line_start + colon + 1 + (rest.len() - rest.trim_ascii_start().len());
        let is_indented = line.first().is_some_and(u8::is_ascii_whitespace);
        Some(Field { name: line[..colon].trim_ascii(), value: rest.trim_ascii(), at, is_indented })
    })
}
