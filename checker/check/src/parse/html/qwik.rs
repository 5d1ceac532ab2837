//! Finds the chunks that a page of Qwik names. Verified with Qwik 1.20.
//!
//! A container, usually the root, has the folder of chunks: `<html q:base="/build/">`. Attributes name a listener's chunk and its export,
//! `on:click="q-a.js#s_b[0]"`, also with `on-window:` and `on-document:`. The state in `<script type="qwik/json">` has
//! further chunks: `"\u0002q-c.js#s_d"`.

use std::collections::HashSet;
use std::ops::Range;

use super::{Builder, Origin, Tokenizer, lossy};
use crate::parse::reference_kind::ReferenceKind;
use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::Name;

/// Prefixes of the names of attributes with listeners.
const LISTENERS: [&[u8]; 3] = [b"on:", b"on-window:", b"on-document:"];

impl Builder<'_, '_> {
    /// Adds the chunks of the whole page, at its first container.
    pub(super) fn add_qwik_chunks(&mut self) {
        if self.named_chunks.has_qwik || !matches!(self.origin, Origin::Source(0)) {
            return;
        }
        self.named_chunks.has_qwik = true;
        let mut folder: Option<Range<usize>> = None;
        let mut chunks: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        let mut attributes = Vec::new();
        // Only pages of Qwik are read twice, so that others do not pay for the names of their attributes.
        let mut tokenizer = Tokenizer::new(self.text, true, true);
        while let Some(tag) = tokenizer.next(&mut attributes, &mut ()) {
            if tag.is_end {
                continue;
            }
            let base = attributes.iter().find(|attribute| attribute.name == Attribute::QwikBase);
            folder = base.and_then(|base| base.value.clone()).or(folder);
            let mut named = Vec::new();
            for attribute in &attributes {
                let name = &self.text[attribute.name_range.clone()];
                if attribute.name == Attribute::Other
                    && LISTENERS.iter().any(|prefix| name.starts_with(prefix))
                    && let Some(value) = attribute.value.clone()
                {
                    named.extend(self.chunks(value, |byte| byte.is_ascii_whitespace()));
                }
            }
            let is_state = |range: Range<usize>| self.text[range].starts_with(b"qwik/");
            let is_state_script = tag.tag == Name::Script
                && attributes.iter().any(|attribute| {
                    attribute.name == Attribute::Type && attribute.value.clone().is_some_and(is_state)
                });
            if is_state_script && let Some(state) = tag.raw {
                let mark = |at: &usize| self.text[state.clone()][*at..].starts_with(MARK);
                let marks = memchr::memchr_iter(b'\\', &self.text[state.clone()]).filter(mark);
                let starts: Vec<usize> = marks.map(|at| state.start + at + MARK.len()).collect();
                for start in starts {
                    let text = &self.text[start..state.end];
                    let end = memchr::memchr(b'"', text).unwrap_or(text.len());
                    named.extend(self.chunks(start..start + end, |byte| byte == b' '));
                }
            }
            if let Some(folder) = &folder {
                chunks.extend(named.into_iter().map(|chunk| (folder.clone(), chunk)));
            }
        }
        let mut known = HashSet::new();
        for (container, chunk) in chunks {
            let name = lossy(&self.text[chunk.clone()]).into_owned();
            let name = name.strip_prefix("./").unwrap_or(&name);
            let is_url = name.starts_with('/') || name.contains("://");
            let address =
                if is_url { name.to_owned() } else { lossy(&self.text[container]).into_owned() + name };
            if known.insert(address.clone()) {
                let value = Some(self.page.facts.store(&address));
                let span = self.span(&chunk);
                let reference = self.page.facts.references.len();
                self.page.facts.push(ReferenceKind::JsChunk, value, span);
                self.run_chunk(reference);
            }
        }
    }

    /// Returns the chunks in a list of `chunk#export`. An entry without a chunk is a function in the page.
    fn chunks(&self, list: Range<usize>, is_end: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
        let mut chunks = Vec::new();
        let mut start = list.start;
        for part in self.text[list].split(|byte| is_end(*byte)) {
            let end = memchr::memchr(b'#', part);
            if let Some(end) = end.filter(|end| part[..*end].ends_with(b"js")) {
                chunks.push(start..start + end);
            }
            start += part.len() + 1;
        }
        chunks
    }
}

/// The mark of a chunk in the state.
const MARK: &[u8] = br"\u0002";
