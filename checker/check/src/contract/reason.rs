//! Recognizes reasons that a reviewer can see. A reason of invisible characters would hide that there is none.

use std::sync::LazyLock;

use regex::Regex;

/// Characters that show something: letters, numbers, punctuation and symbols, except those that are blank. Unicode's
/// ignorable characters include joiners, variation selectors, tags, soft hyphens and the fillers of Hangul. The others are
/// the blanks of Braille, hieroglyphs and music, and the place of an object.
static SHOWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let blank = r"\p{Default_Ignorable_Code_Point}\u{2800}\u{13441}\u{13442}\u{1d159}\u{fffc}";
    Regex::new(&format!(r"[[\p{{L}}\p{{N}}\p{{P}}\p{{S}}]--[{blank}]]")).ok()
});

/// Whether a reason is stated: it has a character that readers see.
pub fn is_stated(reason: &str) -> bool {
    SHOWN.as_ref().is_some_and(|shown| shown.is_match(reason))
}

#[cfg(test)]
mod tests {
    use super::is_stated;

    #[test]
    fn recognizes_text_that_readers_see() {
        for stated in
            ["x", "the shop answers these", "待修", "لاحقا", "🙈", "1", "-", "\u{200b}x\u{200b}", "e\u{301}"]
        {
            assert!(is_stated(stated), "{stated:?}");
        }
    }

    /// Every character that shows nothing, by Unicode's ranges rather than by the properties of the library.
    #[test]
    fn invisible_characters_are_no_reason() {
        let ranges = [
            0x00..=0x20,
            0x7f..=0xa0,
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x1680..=0x1680,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x2000..=0x200f,
            0x2028..=0x202f,
            0x205f..=0x206f,
            0x2800..=0x2800,
            0x3000..=0x3000,
            0x3164..=0x3164,
            0xe000..=0xf8ff,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xfff0..=0xfffc,
            0xfffe..=0xffff,
            0x13441..=0x13442,
            0x1bca0..=0x1bca3,
            0x1d159..=0x1d159,
            0x1d173..=0x1d17a,
            0xe0000..=0xe0fff,
            0xf0000..=0x10_ffff,
        ];
        assert!(!is_stated(""));
        let mut all = String::new();
        for c in ranges.into_iter().flatten().filter_map(char::from_u32) {
            assert!(!is_stated(c.encode_utf8(&mut [0; 4])), "{c:?}");
            all.push(c);
        }
        assert!(!is_stated(&all));
    }
}
