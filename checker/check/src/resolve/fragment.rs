//! The fragment of a reference, as it is compared with ids.

use std::borrow::Cow;

use percent_encoding::{percent_decode_str, utf8_percent_encode};

use super::path::FRAGMENT;

/// A fragment, ready to be compared with ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment<'r> {
    /// As the URL parser serialises it: compared with ids first.
    pub raw: Cow<'r, str>,
    /// Percent-decoded: compared with ids next, then with `a[name]`.
    pub decoded: Cow<'r, str>,
}

impl Fragment<'_> {
    /// Whether it means the top of the page where no id matches.
    pub fn is_top(&self) -> bool {
        self.decoded.eq_ignore_ascii_case("top")
    }
}

/// The fragment that a reference asks for; `None` where there is none to check: no `#`, an empty one,
/// or nothing but a fragment directive (`#:~:text=…`).
pub fn fragment(reference: &str) -> Option<Fragment<'_>> {
    let at = memchr::memchr(b'#', reference.as_bytes())?;
    let written = &reference[at + 1..];
    if written.bytes().all(|byte| WORD[usize::from(byte)]) {
        let word = Cow::Borrowed(written);
        return (!written.is_empty()).then(|| Fragment { raw: word.clone(), decoded: word });
    }
    let written = written.trim_end_matches(|c: char| c <= ' ');
    let written = written.split(":~:").next().unwrap_or("");
    let kept: Cow<'_, str> = if written.contains(['\t', '\n', '\r']) {
        Cow::Owned(written.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(written)
    };
    if kept.is_empty() {
        return None;
    }
    let raw = match kept {
        Cow::Borrowed(kept) => utf8_percent_encode(kept, FRAGMENT).into(),
        Cow::Owned(kept) => Cow::Owned(utf8_percent_encode(&kept, FRAGMENT).to_string()),
    };
    let decoded = percent_decode_str(&raw).decode_utf8_lossy().into_owned();
    Some(Fragment { raw, decoded: Cow::Owned(decoded) })
}

/// The bytes that mean themselves in a fragment, wherever they stand: all that are seen but those which are escaped, `%`,
/// and `:`, which may begin a directive.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        word[byte as usize] =
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`' | b'%' | b':');
        byte += 1;
    }
    word
};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::fragment;

    #[test]
    fn fragments_are_serialised_as_the_url_crate_does() {
        let base = url::Url::parse("http://sitegate.invalid/").unwrap();
        proptest!(ProptestConfig::with_cases(2_000), |(written in "[ -~é\u{0}-\u{1f}]{0,12}")| {
            let reference = format!("#{written}");
            let url = base.join(&reference).unwrap();
            let expected = url.fragment().unwrap_or("").split(":~:").next().unwrap_or("").to_owned();
            let ours = fragment(&reference).map(|f| f.raw.into_owned()).unwrap_or_default();
            prop_assert_eq!(ours, expected);
        });
    }
}
