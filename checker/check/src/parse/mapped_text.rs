//! Text that is written with escapes, decoded, which knows where each of its characters is written.

use std::ops::Range;

use super::text::decode_references;

/// A piece of the text, and the bytes of the source that it is written in.
#[derive(Debug)]
struct Segment {
    /// Where it begins in the text.
    at: usize,
    source: Range<usize>,
    /// Whether it is written as it is, byte for byte.
    verbatim: bool,
}

/// A decoded text and its places.
#[derive(Debug, Default)]
pub(crate) struct MappedText {
    /// The text.
    pub text: String,
    segments: Vec<Segment>,
}

impl MappedText {
    /// The text of an XML element: CDATA sections taken as they are, comments left out, and entities decoded. Those that XML does
    /// not know, such as `&nbsp;`, stay. `start` is where `written` begins in the source.
    pub(crate) fn of_xml(written: &str, start: usize) -> MappedText {
        const CDATA: &str = "<![CDATA[";
        let mut mapped = MappedText::default();
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'<', b'&', &written.as_bytes()[at..]) {
            mapped.verbatim(&written[at..at + found], start + at);
            at += found;
            let rest = &written[at..];
            if let Some(section) = rest.strip_prefix(CDATA) {
                let length = section.find("]]>").unwrap_or(section.len());
                mapped.verbatim(&section[..length], start + at + CDATA.len());
                at = (at + CDATA.len() + length + "]]>".len()).min(written.len());
            } else if rest.starts_with("<!--") {
                at += rest.find("-->").map_or(rest.len(), |end| end + "-->".len());
            } else if let Some((entity, text)) = entity(rest) {
                mapped.decoded(&text, start + at..start + at + entity);
                at += entity;
            } else {
                mapped.verbatim(&rest[..1], start + at);
                at += 1;
            }
        }
        mapped.verbatim(&written[at..], start + at);
        mapped
    }

    /// The text of a JSON string, of which `written` is what stands between the quotes, from `start` in the source. It was read
    /// as JSON before: what is no escape there is kept as it is.
    pub(crate) fn of_json(written: &str, start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'\\', &written.as_bytes()[at..]) {
            mapped.verbatim(&written[at..at + found], start + at);
            at += found;
            let mut length = escape_length(&written[at..]);
            // Two escapes may stand for one character: UTF-16 surrogates.
            let text = json_text(&written[at..at + length]).or_else(|| {
                let second = escape_length(&written[at + length..]);
                let pair = json_text(&written[at..at + length + second])?;
                length += second;
                Some(pair)
            });
            mapped.decoded(text.as_deref().unwrap_or("\u{fffd}"), start + at..start + at + length);
            at += length;
        }
        mapped.verbatim(&written[at..], start + at);
        mapped
    }

    /// The value of an attribute of HTML, its character references decoded once (HTML standard, 13.2.5.72), and bytes that are no
    /// UTF-8 replaced. `start` is where `written` begins in the source.
    pub(crate) fn of_attribute(written: &[u8], start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        mapped.chunks(written, start, MappedText::attribute);
        mapped
    }

    /// Bytes that are taken as they are, but for those that are no UTF-8. `start` is where they begin in the source.
    pub(crate) fn of_bytes(written: &[u8], start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        mapped.chunks(written, start, MappedText::verbatim);
        mapped
    }

    /// Takes bytes in; those that are no UTF-8 are replaced.
    fn chunks(&mut self, written: &[u8], mut at: usize, take: fn(&mut MappedText, &str, usize)) {
        for chunk in written.utf8_chunks() {
            take(self, chunk.valid(), at);
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                self.decoded("\u{fffd}", at..at + chunk.invalid().len());
                at += chunk.invalid().len();
            }
        }
    }

    fn attribute(&mut self, written: &str, start: usize) {
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'&', &written.as_bytes()[at..]) {
            self.verbatim(&written[at..at + found], start + at);
            at += found;
            let end = at + reference_length(&written.as_bytes()[at..]);
            // What stands behind it may make it no reference.
            let sign = usize::from(written[end..].starts_with('='));
            let decoded = decode_references(&written[at..end + sign]);
            match &decoded[..decoded.len() - sign] {
                text if *text == written[at..end] => self.verbatim(text, start + at),
                text => self.decoded(text, start + at..start + end),
            }
            at = end;
        }
        self.verbatim(&written[at..], start + at);
    }

    /// Text that is written as it is, from `start` in the source.
    pub(crate) fn verbatim_of(written: &str, start: usize) -> MappedText {
        let mut mapped = MappedText::default();
        mapped.verbatim(written, start);
        mapped
    }

    fn verbatim(&mut self, text: &str, source: usize) {
        if !text.is_empty() {
            let segment =
                Segment { at: self.text.len(), source: source..source + text.len(), verbatim: true };
            self.segments.push(segment);
            self.text.push_str(text);
        }
    }

    fn decoded(&mut self, text: &str, source: Range<usize>) {
        self.segments.push(Segment { at: self.text.len(), source, verbatim: false });
        self.text.push_str(text);
    }

    /// Where a range of the text is written.
    pub(crate) fn source(&self, range: &Range<u32>) -> Range<u32> {
        let (start, end) = (range.start as usize, range.end as usize);
        let start = self.place(start, |segment, within| {
            if segment.verbatim { segment.source.start + within } else { segment.source.start }
        });
        let end = self.place(end.saturating_sub(1), |segment, within| {
            if segment.verbatim { segment.source.start + within + 1 } else { segment.source.end }
        });
        start as u32..end.max(start) as u32
    }

    fn place(&self, at: usize, of: impl Fn(&Segment, usize) -> usize) -> usize {
        let next = self.segments.partition_point(|segment| segment.at <= at);
        self.segments[..next].last().map_or(0, |segment| of(segment, at - segment.at))
    }
}

/// The length of what may be a character reference, which a text begins with.
fn reference_length(text: &[u8]) -> usize {
    let number = 1 + usize::from(text.get(1) == Some(&b'#'));
    let end = number + text[number..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    end + usize::from(text.get(end) == Some(&b';'))
}

/// The entity that a text begins with: its length, and what it stands for.
fn entity(text: &str) -> Option<(usize, String)> {
    let length = text.bytes().take(12).position(|byte| byte == b';')? + 1;
    let decoded = quick_xml::escape::unescape(text.get(..length)?).ok()?.into_owned();
    text.starts_with('&').then_some((length, decoded))
}

/// The length of the escape that a text begins with, in whole characters.
fn escape_length(text: &str) -> usize {
    let wanted = if text.starts_with("\\u") { 6 } else { 2 };
    text.char_indices()
        .map(|(at, char)| at + char.len_utf8())
        .find(|end| *end >= wanted)
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

    /// Where a word of the text is written.
    fn written<'s>(mapped: &MappedText, source: &'s str, word: &str) -> &'s str {
        let at = mapped.text.find(word).unwrap() as u32;
        let place = mapped.source(&(at..at + word.len() as u32));
        &source[place.start as usize..place.end as usize]
    }

    #[test]
    fn xml_is_decoded_once_and_tells_its_places() {
        let source = "&lt;a href=\"/x?a&amp;amp;b\"&gt;<!-- & --><![CDATA[<i>&amp;</i>]]>&#233;&nbsp;& end";
        let mapped = MappedText::of_xml(source, 0);
        assert_eq!(mapped.text, "<a href=\"/x?a&amp;b\"><i>&amp;</i>é&nbsp;& end");
        assert_eq!(written(&mapped, source, "/x?a&amp;b"), "/x?a&amp;amp;b");
        assert_eq!(written(&mapped, source, "<i>&amp;</i>"), "<i>&amp;</i>");
        assert_eq!(written(&mapped, source, "é"), "&#233;");
        assert_eq!(written(&mapped, source, "end"), "end");
        assert_eq!(MappedText::of_xml("<![CDATA[x", 0).text, "x");
    }

    #[test]
    fn json_is_decoded_and_tells_its_places() {
        let source = r#"<img src=\"\/caf\u00e9.png\">\ud83d\ude00."#;
        let mapped = MappedText::of_json(source, 0);
        assert_eq!(mapped.text, "<img src=\"/café.png\">😀.");
        assert_eq!(written(&mapped, source, "/café.png"), r"\/caf\u00e9.png");
        assert_eq!(written(&mapped, source, "😀"), r"\ud83d\ude00");
    }

    proptest! {
        #[test]
        fn any_json_string_is_read_as_serde_json_reads_it(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(MappedText::of_json(&json[1..json.len() - 1], 1).text, text);
        }

        #[test]
        fn any_text_at_all_is_read_and_places_lie_in_it(written in "[<&;!\\[\\]CDAT>a#x0\\\\u-é\"]{0,24}") {
            for mapped in [MappedText::of_xml(&written, 0), MappedText::of_json(&written, 0)] {
                let place = mapped.source(&(0..mapped.text.len() as u32));
                prop_assert!(place.end as usize <= written.len());
            }
        }
    }
}
