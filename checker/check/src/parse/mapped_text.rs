//! Decodes text with escapes, and maps each character to its location in the source.

use std::ops::Range;

use super::html_text::decode_references;

/// A segment of the text, and its bytes in the source.
#[derive(Debug)]
struct Segment {
    /// Offset in the text.
    at: usize,
    source: Range<usize>,
    /// Whether it is written without escapes.
    is_verbatim: bool,
}

/// A decoded text with the locations of its characters.
#[derive(Debug, Default)]
pub(crate) struct MappedText {
    /// The text.
    pub text: String,
    segments: Vec<Segment>,
}

impl MappedText {
    /// Decodes the text of an XML element: CDATA sections are verbatim, comments are removed, and entities are
    /// decoded. Unknown entities, such as `&nbsp;`, stay. `start` is the offset of `written` in the source.
    pub(crate) fn from_xml(written: &str, start: usize) -> MappedText {
        const CDATA: &str = "<![CDATA[";
        let mut mapped = MappedText::default();
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'<', b'&', &written.as_bytes()[at..]) {
            mapped.push_verbatim(&written[at..at + found], start + at);
            at += found;
            let rest = &written[at..];
            if let Some(section) = rest.strip_prefix(CDATA) {
                let length = section.find("]]>").unwrap_or(section.len());
                mapped.push_verbatim(&section[..length], start + at + CDATA.len());
                at = (at + CDATA.len() + length + "]]>".len()).min(written.len());
            } else if rest.starts_with("<!--") {
                at += rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
            } else if let Some((entity, text)) = entity(rest) {
                mapped.push_decoded(&text, start + at..start + at + entity);
                at += entity;
            } else {
                mapped.push_verbatim(&rest[..1], start + at);
                at += 1;
            }
        }
        mapped.push_verbatim(&written[at..], start + at);
        mapped
    }

    /// Decodes a JSON string; `written` is the text between the quotes, at offset `start` in the source. The JSON is
    /// valid; an unknown escape stays.
    pub(crate) fn from_json(written: &str, start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'\\', &written.as_bytes()[at..]) {
            mapped.push_verbatim(&written[at..at + found], start + at);
            at += found;
            let mut length = escape_length(&written[at..]);
            // A pair of escapes may be one character: UTF-16 surrogates.
            let text = json_text(&written[at..at + length]).or_else(|| {
                let second = escape_length(&written[at + length..]);
                let pair = json_text(&written[at..at + length + second])?;
                length += second;
                Some(pair)
            });
            mapped.push_decoded(text.as_deref().unwrap_or("\u{fffd}"), start + at..start + at + length);
            at += length;
        }
        mapped.push_verbatim(&written[at..], start + at);
        mapped
    }

    /// Decodes the value of an HTML attribute: character references once (HTML standard, 13.2.5.72), and invalid UTF-8
    /// is replaced. `start` is the offset of `written` in the source.
    pub(crate) fn from_attribute(written: &[u8], start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        mapped.push_chunks(written, start, MappedText::push_attribute);
        mapped
    }

    /// Maps bytes without escapes; invalid UTF-8 is replaced. `start` is their offset in the source.
    pub(crate) fn from_bytes(written: &[u8], start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        mapped.push_chunks(written, start, MappedText::push_verbatim);
        mapped
    }

    /// Adds bytes by `add`; invalid UTF-8 is replaced.
    fn push_chunks(&mut self, written: &[u8], mut at: usize, add: fn(&mut MappedText, &str, usize)) {
        for chunk in written.utf8_chunks() {
            add(self, chunk.valid(), at);
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                self.push_decoded("\u{fffd}", at..at + chunk.invalid().len());
                at += chunk.invalid().len();
            }
        }
    }

    fn push_attribute(&mut self, written: &str, start: usize) {
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'&', &written.as_bytes()[at..]) {
            self.push_verbatim(&written[at..at + found], start + at);
            at += found;
            let end = at + reference_length(&written.as_bytes()[at..]);
            // The next character may make it no reference.
            let sign = usize::from(written[end..].starts_with('='));
            let decoded = decode_references(&written[at..end + sign]);
            match &decoded[..decoded.len() - sign] {
                text if *text == written[at..end] => self.push_verbatim(text, start + at),
                text => self.push_decoded(text, start + at..start + end),
            }
            at = end;
        }
        self.push_verbatim(&written[at..], start + at);
    }

    /// Maps a text without escapes, at offset `start` in the source.
    pub(crate) fn from_plain(written: &str, start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        mapped.push_verbatim(written, start);
        mapped
    }

    fn push_verbatim(&mut self, text: &str, source: usize) {
        if !text.is_empty() {
            let segment =
                Segment { at: self.text.len(), source: source..source + text.len(), is_verbatim: true };
            self.segments.push(segment);
            self.text.push_str(text);
        }
    }

    fn push_decoded(&mut self, text: &str, source: Range<usize>) {
        self.segments.push(Segment { at: self.text.len(), source, is_verbatim: false });
        self.text.push_str(text);
    }

    /// Returns the location of a range of the text in the source.
    pub(crate) fn source(&self, range: &Range<u32>) -> Range<u32> {
        let (start, end) = (range.start as usize, range.end as usize);
        let start = self.location(start, |segment, within| {
            if segment.is_verbatim { segment.source.start + within } else { segment.source.start }
        });
        let end = self.location(end.saturating_sub(1), |segment, within| {
            if segment.is_verbatim { segment.source.start + within + 1 } else { segment.source.end }
        });
        start as u32..end.max(start) as u32
    }

    fn location(&self, at: usize, of: impl Fn(&Segment, usize) -> usize) -> usize {
        let next = self.segments.partition_point(|segment| segment.at <= at);
        self.segments[..next].last().map_or(0, |segment| of(segment, at - segment.at))
    }
}

/// Returns the length of a possible character reference at the start of a text.
fn reference_length(text: &[u8]) -> usize {
    let number = 1 + usize::from(text.get(1) == Some(&b'#'));
    let end = number + text[number..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    end + usize::from(text.get(end) == Some(&b';'))
}

/// Decodes the entity at the start of a text: its length and its text.
fn entity(text: &str) -> Option<(usize, String)> {
    let length = text.bytes().take(12).position(|byte| byte == b';')? + 1;
    let decoded = quick_xml::escape::unescape(text.get(..length)?).ok()?.into_owned();
    text.starts_with('&').then_some((length, decoded))
}

/// Returns the length of the escape at the start of a text, in whole characters.
fn escape_length(text: &str) -> usize {
    let minimum = if text.starts_with("\\u") { 6 } else { 2 };
    text.char_indices()
        .map(|(at, char)| at + char.len_utf8())
        .find(|end| *end >= minimum)
        .unwrap_or(text.len())
}

fn json_text(escape: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{escape}\"")).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::MappedText;

    /// Returns the source of a word of the text.
    fn written<'s>(mapped: &MappedText, source: &'s str, word: &str) -> &'s str {
        let at = mapped.text.find(word).unwrap() as u32;
        let location = mapped.source(&(at..at + word.len() as u32));
        &source[location.start as usize..location.end as usize]
    }

    #[test]
    fn decodes_xml_once_and_maps_locations() {
        let source = "&lt;a href=\"/x?a&amp;amp;b\"&gt;<!-- & --><![CDATA[<i>&amp;</i>]]>&#233;&nbsp;& end";
        let mapped = MappedText::from_xml(source, 0);
        assert_eq!(mapped.text, "<a href=\"/x?a&amp;b\"><i>&amp;</i>é&nbsp;& end");
        assert_eq!(written(&mapped, source, "/x?a&amp;b"), "/x?a&amp;amp;b");
        assert_eq!(written(&mapped, source, "<i>&amp;</i>"), "<i>&amp;</i>");
        assert_eq!(written(&mapped, source, "é"), "&#233;");
        assert_eq!(written(&mapped, source, "end"), "end");
        assert_eq!(MappedText::from_xml("<![CDATA[x", 0).text, "x");
    }

    #[test]
    fn decodes_json_and_maps_locations() {
        let source = r#"<img src=\"\/caf\u00e9.png\">\ud83d\ude00."#;
        let mapped = MappedText::from_json(source, 0);
        assert_eq!(mapped.text, "<img src=\"/café.png\">😀.");
        assert_eq!(written(&mapped, source, "/café.png"), r"\/caf\u00e9.png");
        assert_eq!(written(&mapped, source, "😀"), r"\ud83d\ude00");
    }

    proptest! {
        #[test]
        fn decodes_json_like_serde_json(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(MappedText::from_json(&json[1..json.len() - 1], 1).text, text);
        }

        #[test]
        fn locations_are_inside_any_text(written in "[<&;!\\[\\]CDAT>a#x0\\\\u-é\"]{0,24}") {
            for mapped in [MappedText::from_xml(&written, 0), MappedText::from_json(&written, 0)] {
                let location = mapped.source(&(0..mapped.text.len() as u32));
                prop_assert!(location.end as usize <= written.len());
            }
        }
    }
}
