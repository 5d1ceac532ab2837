//! Notes values of attributes that browsers ignore, and plug-ins that they do not load.

use std::ops::Range;

use memchr::memmem;
use sitegate_address::{SitePath, UrlReference};
use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::Name;
use sitegate_html::syntax::PageSyntax;

use super::{Builder, OpenPlugin, ReadTag, lossy};
use crate::parse::page_metadata::{IgnoredValue, NoteKind};

/// The words of `sandbox` (HTML, 7.6.1, "parse a sandboxing directive"), and two of Chromium that it has, or had.
const SANDBOX_WORDS: [&str; 16] = [
    "allow-downloads",
    "allow-downloads-without-user-activation",
    "allow-forms",
    "allow-modals",
    "allow-orientation-lock",
    "allow-pointer-lock",
    "allow-popups",
    "allow-popups-to-escape-sandbox",
    "allow-presentation",
    "allow-same-origin",
    "allow-same-site-none-cookies",
    "allow-scripts",
    "allow-storage-access-by-user-activation",
    "allow-top-navigation",
    "allow-top-navigation-by-user-activation",
    "allow-top-navigation-to-custom-protocols",
];

/// The values of `<meta name="referrer">` that the Referrer Policy does not have, but HTML (4.2.5.1).
const OLD_REFERRER_POLICIES: [&str; 4] = ["always", "default", "never", "origin-when-crossorigin"];

impl Builder<'_, '_> {
    fn note_ignored(&mut self, kind: IgnoredValue, value: impl Into<String>, range: &Range<usize>) {
        self.push_note(NoteKind::IgnoredValue(kind, value.into()), range);
    }

    /// Reads the words of `sandbox`, which are separated by white space: a comma belongs to a word.
    pub(super) fn read_sandbox(&mut self, token: &ReadTag) {
        // Few frames have it, and to read all attributes again costs more.
        if memmem::find(&self.text[token.range.clone()], b"sandbox").is_none() {
            return;
        }
        let Some(sandbox) = self.attribute(token, b"sandbox") else { return };
        let words = lossy(sandbox).to_ascii_lowercase();
        // A template may fill it in.
        let unknown = |word: &&str| !SANDBOX_WORDS.contains(word) && !word.contains(['{', '<', '&', '$']);
        if let Some(word) = words.split_ascii_whitespace().find(unknown) {
            self.note_ignored(IgnoredValue::SandboxWord, word, &token.range);
        }
    }

    /// Reads an icon for the home screen: iOS shows no SVG there, but a part of the page.
    pub(super) fn read_touch_icon(&mut self) {
        let is_touch_icon = self.has_word(Attribute::Rel, "apple-touch-icon")
            || self.has_word(Attribute::Rel, "apple-touch-icon-precomposed");
        if !is_touch_icon {
            return;
        }
        let Some(href) = self.text_of(Attribute::Href).map(|href| href.trim().to_owned()) else { return };
        if has_extension(&href, "svg") {
            let range = self.range_of(Attribute::Href).unwrap_or(0..0);
            self.note_ignored(IgnoredValue::TouchIcon, href, &range);
        }
    }

    /// Reads the captions of a medium: browsers read only `WebVTT` (HTML, 4.8.11.11.4).
    pub(super) fn read_captions(&mut self) {
        let Some(src) = self.text_of(Attribute::Src).map(|src| src.trim().to_owned()) else { return };
        if ["srt", "ass", "ssa", "sub", "ttml", "dfxp"].iter().any(|other| has_extension(&src, other)) {
            let range = self.range_of(Attribute::Src).unwrap_or(0..0);
            self.note_ignored(IgnoredValue::Captions, src, &range);
        }
    }

    /// Reads a template that was meant as a shadow root, but is none for browsers. A polyfill reads the attributes of such
    /// templates, and names them.
    pub(super) fn read_shadow_root(&mut self, token: &ReadTag) {
        if memmem::find(&self.text[token.range.clone()], b"shadowroot").is_none() {
            return;
        }
        if memmem::find(self.text, b"[shadowroot").is_some() {
            return;
        }
        let mode = |name| Some(lossy(self.attribute(token, name)?).trim().to_ascii_lowercase());
        let is_mode = |word: &str| matches!(word, "open" | "closed");
        match (mode(b"shadowrootmode"), mode(b"shadowroot")) {
            (Some(written), _) if !is_mode(&written) => {
                self.note_ignored(IgnoredValue::ShadowRootMode, written, &token.range);
            }
            (None, Some(written)) if is_mode(&written) => {
                self.note_ignored(IgnoredValue::ShadowRoot, written, &token.range);
            }
            _ => {}
        }
    }

    /// Reads the policy of `<meta name="referrer">`, whose content is at this location.
    pub(super) fn read_referrer(&mut self, content: &Range<usize>) {
        let value = lossy(&self.text[content.clone()]).trim().to_ascii_lowercase();
        let is_known = sitegate_host::header_values::REFERRER_POLICIES.contains(&&*value)
            || OLD_REFERRER_POLICIES.contains(&&*value);
        if !is_known && !value.is_empty() && !value.contains(['{', '<', '&', '$']) {
            self.note_ignored(IgnoredValue::ReferrerPolicy, value, content);
        }
    }

    /// Notes the plug-in whose reference begins at index `first`, if it is a fallback: browsers load it only if they cannot
    /// show the object around it, and never in a medium (HTML, 4.8.6 and 4.8.7).
    pub(super) fn read_fallback(&mut self, token: &ReadTag, first: usize) {
        let has_reference = self.page.facts.references.len() > first;
        let is_plugin = matches!(token.name, Name::Embed | Name::Object);
        if is_plugin && has_reference && self.is_main_document() {
            let medium = self.open_plugins.iter().find(|open| open.name != Name::Object);
            let outer = || self.open_plugins.iter().find_map(|open| open.reference);
            if medium.is_some() {
                self.push_note(NoteKind::Fallback(first, None), &token.range);
            } else if let Some(outer) = outer() {
                self.push_note(NoteKind::Fallback(first, Some(outer)), &token.range);
            }
        }
        let is_open = !(token.is_empty && self.syntax == PageSyntax::Xml);
        if is_open && matches!(token.name, Name::Object | Name::Video | Name::Audio) {
            let reference = (token.name == Name::Object && has_reference).then_some(first);
            self.open_plugins.push(OpenPlugin { name: token.name, reference });
        }
    }

    /// Ends the last element of this name that is open.
    pub(super) fn end_plugin(&mut self, name: Name) {
        if let Some(at) = self.open_plugins.iter().rposition(|open| open.name == name) {
            self.open_plugins.truncate(at);
        }
    }
}

/// Whether the path of a reference ends with this extension, in any case.
pub(super) fn has_extension(reference: &str, expected: &str) -> bool {
    let extension = SitePath::new(UrlReference::new(reference).path()).extension();
    extension.is_some_and(|own| own.eq_ignore_ascii_case(expected))
}
