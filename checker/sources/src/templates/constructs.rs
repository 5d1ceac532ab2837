//! Masks the expressions, statements and comments of template languages between delimiters: `{{`, `{%`, `<%`.

use memchr::memmem;

use super::dialect::Dialect;
use super::masked::Masked;

/// Delimiters of expressions, statements and comments.
const DELIMITERS: [(&[u8], &[u8]); 3] = [(b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>")];

/// Masks expressions and statements by their delimiters.
pub(super) fn mask_constructs(masked: &mut Masked, dialect: Dialect) {
    let mut ends = DELIMITERS.map(|(_, close)| NextEnd { close, at: Some(0) });
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'{', b'<', &masked.bytes[at..]) {
        let start = at + found;
        at = start + 1;
        let kind = DELIMITERS.iter().position(|(open, _)| masked.bytes[start..].starts_with(open));
        let Some(kind) = kind.filter(|kind| dialect.has_construct(*kind)) else { continue };
        let Some(mut end) = ends[kind].after(&masked.bytes, start + 2) else { continue };
        if kind == 0 && masked.bytes[start..].starts_with(b"{{{") && masked.bytes.get(end) == Some(&b'}') {
            end += 1;
        }
        if is_construct(&masked.bytes[start..end]) {
            let range = start..end;
            masked.constructs.push(masked.in_text(range.clone()));
            masked.fill_expression(range);
            at = end;
        }
    }
}

/// The end of the next construct of a kind, which is searched for once.
struct NextEnd {
    close: &'static [u8],
    /// The offset after the last found delimiter; `None` if there is no other.
    at: Option<usize>,
}

impl NextEnd {
    fn after(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        if self.at? < start + self.close.len() {
            self.at = memmem::find(&bytes[start..], self.close).map(|end| start + end + self.close.len());
        }
        self.at
    }
}

/// Whether a text between delimiters is an expression, and not braces of a script with tags between them.
fn is_construct(text: &[u8]) -> bool {
    const MAX_LENGTH: usize = 4096;
    text.len() <= MAX_LENGTH
        && memmem::find(text, b"</script").is_none()
        && memmem::find(text, b"</style").is_none()
}
