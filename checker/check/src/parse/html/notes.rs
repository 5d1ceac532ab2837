//! What elements say beyond their references: the page's title, language and encoding, and what rules want
//! to see of single elements.

use std::ops::Range;

use super::{Builder, Origin, Token, lossy};
use crate::parse::about::{Note, Noticed};
use crate::parse::descriptors;
use crate::parse::encoding::charset_of_content_type;
use crate::parse::names::{Attribute, Tag};
use crate::parse::text::decode_references;

impl Builder<'_, '_> {
    /// Looks at one element. Its references begin at `first` in the page's list.
    pub(super) fn note(&mut self, tag: Tag, token: &Token, first: usize) {
        let range = &token.range;
        match tag {
            Tag::Html => self.note_html(range),
            Tag::Title => self.note_title(token),
            Tag::Meta => self.note_meta(range, first),
            Tag::Link => {
                self.note_link(first);
                self.note_integrity(first);
                self.note_srcset(Attribute::Imagesrcset);
            }
            Tag::Script => self.note_integrity(first),
            Tag::Img => {
                self.note_alt("img", range);
                self.note_srcset(Attribute::Srcset);
            }
            Tag::Source => self.note_srcset(Attribute::Srcset),
            Tag::Input if self.says(Attribute::Type, "image") => self.note_alt("input", range),
            Tag::Area => {
                if self.has(Attribute::Href) {
                    self.note_alt("area", range);
                }
                self.note_target(range, first);
            }
            Tag::A => self.note_target(range, first),
            _ => {}
        }
    }

    /// Whether this is the page itself: neither `noscript` nor `srcdoc`.
    fn is_document(&self) -> bool {
        matches!(self.origin, Origin::Source(0))
    }

    /// Whether an attribute is exactly this word, in any case.
    fn says(&self, name: Attribute, word: &str) -> bool {
        self.text_of(name).is_some_and(|text| text.trim().eq_ignore_ascii_case(word))
    }

    /// Whether an attribute has this among its words, in any case.
    fn lists(&self, name: Attribute, word: &str) -> bool {
        self.text_of(name)
            .is_some_and(|text| text.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
    }

    fn is_filled(&self, name: Attribute) -> bool {
        self.text_of(name).is_some_and(|text| !text.trim().is_empty())
    }

    fn notice(&mut self, what: Noticed, range: &Range<usize>) {
        let span = self.span(range);
        self.page.facts.about.notes.push(Note { what, span });
    }

    fn note_html(&mut self, range: &Range<usize>) {
        if self.is_document() && self.page.facts.about.html.is_none() {
            self.page.facts.about.html = Some(self.span(range));
            self.page.facts.about.has_lang =
                self.is_filled(Attribute::Lang) || self.is_filled(Attribute::XmlLang);
        }
    }

    /// The title of the page, and not the name of a drawing in it.
    fn note_title(&mut self, token: &Token) {
        if let Some(content) = &token.raw
            && self.is_document()
            && self.page.title.is_none()
        {
            self.page.title = Some(self.span(content));
        }
    }

    fn note_meta(&mut self, range: &Range<usize>, first: usize) {
        if !self.is_document() {
            return;
        }
        let content = self.range_of(Attribute::Content).unwrap_or(0..0);
        let declares = self.is_filled(Attribute::Charset)
            || (self.says(Attribute::HttpEquiv, "content-type")
                && charset_of_content_type(&self.text[content.clone()]).is_some());
        if declares && self.page.facts.about.charset_end.is_none() {
            self.page.facts.about.charset_end = Some(self.span(range).end);
        }
        if self.says(Attribute::Name, "description") {
            self.page.facts.about.has_description |= self.is_filled(Attribute::Content);
        } else if self.says(Attribute::Name, "robots") || self.says(Attribute::Name, "googlebot") {
            let content = lossy(&self.text[content]).to_ascii_lowercase();
            let mut words = content.split([',', ' ']).map(str::trim);
            self.page.facts.about.noindex |= words.any(|word| matches!(word, "noindex" | "none"));
        } else if self.says(Attribute::HttpEquiv, "refresh") {
            let sent_on = self.page.facts.references.get(first).is_some_and(|to| to.value.is_some());
            self.page.facts.about.refreshes |= sent_on;
        }
    }

    fn note_link(&mut self, first: usize) {
        if !self.is_document() || !self.has(Attribute::Href) {
            return;
        }
        if self.lists(Attribute::Rel, "canonical") {
            self.page.facts.about.canonicals.push(first);
        }
        if self.lists(Attribute::Rel, "alternate")
            && let Some(language) = self.text_of(Attribute::Hreflang)
            // A feed has a language and is no translation.
            && self.text_of(Attribute::Type).is_none_or(|media| media.trim().eq_ignore_ascii_case("text/html"))
        {
            let language = language.trim().to_ascii_lowercase().into_boxed_str();
            self.page.facts.about.alternates.push((first, language));
        }
    }

    fn note_integrity(&mut self, first: usize) {
        let address = if self.has(Attribute::Src) { Attribute::Src } else { Attribute::Href };
        if self.has(address)
            && let Some(range) = self.range_of(Attribute::Integrity)
        {
            let text = decode_references(&lossy(&self.text[range.clone()])).into_owned();
            if !text.trim().is_empty() {
                self.notice(Noticed::Integrity(first, text), &range);
            }
        }
    }

    fn note_alt(&mut self, element: &'static str, range: &Range<usize>) {
        let has_text = match element {
            // Here an empty text would leave a control without a name.
            "input" => self.is_filled(Attribute::Alt),
            _ => self.has(Attribute::Alt),
        };
        let named = self.is_filled(Attribute::AriaLabel) || self.is_filled(Attribute::AriaLabelledby);
        let hidden = self.says(Attribute::AriaHidden, "true")
            || self.lists(Attribute::Role, "presentation")
            || self.lists(Attribute::Role, "none");
        if !has_text && !named && !hidden {
            self.notice(Noticed::NoAlt(element), range);
        }
    }

    fn note_srcset(&mut self, name: Attribute) {
        let Some(range) = self.range_of(name) else { return };
        let text = lossy(&self.text[range.clone()]);
        if let Some(problem) = descriptors::problem(&decode_references(&text)) {
            self.notice(Noticed::Srcset(problem), &range);
        }
    }

    fn note_target(&mut self, range: &Range<usize>, first: usize) {
        let safe = || self.lists(Attribute::Rel, "noopener") || self.lists(Attribute::Rel, "noreferrer");
        let has_address = self.has(Attribute::Href) || self.has(Attribute::XlinkHref);
        if has_address && self.says(Attribute::Target, "_blank") && !safe() {
            self.notice(Noticed::OpensWindow(first), range);
        }
    }
}
