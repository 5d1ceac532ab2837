//! Finds the chunks that a page of Qwik names. Verified with Qwik 1.20.
//!
//! A container, usually the root, has the folder of chunks: `<html q:base="/build/">`. Attributes name a listener's chunk and its export,
//! `on:click="q-a.js#s_b[0]"`, also with `on-window:` and `on-document:`. The state in `<script type="qwik/json">` has
//! further chunks: `"\u0002q-c.js#s_d"`.

use std::collections::HashSet;
use std::ops::Range;

use sitegate_html::attributes::attributes;
use sitegate_html::element::Name;

use super::{Builder, Origin, QwikContainer, ReadTag, lossy};
use crate::parse::reference_kind::ReferenceKind;

/// Prefixes of the names of attributes with listeners.
const LISTENERS: [&[u8]; 3] = [b"on:", b"on-window:", b"on-document:"];

impl Builder<'_, '_> {
    /// Begins the first container. From there all tags of the page are read.
    pub(super) fn begin_qwik(&mut self) {
        if matches!(self.origin, Origin::Source(0)) {
            self.qwik.get_or_insert_default();
        }
    }

    /// Adds the chunks that a tag names, if it is in a container. Inert content is resumed, too.
    pub(super) fn add_qwik_chunks(&mut self, token: &ReadTag) {
        let Some(mut container) = self.qwik.take() else { return };
        if !token.is_end {
            let named = self.read_qwik_tag(token, &mut container);
            if let Some(folder) = &container.folder {
                let folder = lossy(&self.text[folder.clone()]).into_owned();
                for chunk in named {
                    self.add_qwik_chunk(&folder, &chunk, &mut container.known);
                }
            }
        }
        self.qwik = Some(container);
    }

    /// Returns the chunks that a start tag names, and updates the folder of chunks.
    fn read_qwik_tag(&self, token: &ReadTag, container: &mut QwikContainer) -> Vec<Range<usize>> {
        let mut named = Vec::new();
        let mut script_type = None;
        for attribute in attributes(self.text, token.name_range.end) {
            let Some(value) = attribute.value else { continue };
            let name = &self.text[attribute.name];
            if name.eq_ignore_ascii_case(b"q:base") {
                container.folder = Some(value);
            } else if name.eq_ignore_ascii_case(b"type") {
                script_type = script_type.or(Some(&self.text[value]));
            } else if LISTENERS.iter().any(|prefix| name.starts_with(prefix)) {
                named.extend(self.chunks(value, |byte| byte.is_ascii_whitespace()));
            }
        }
        let is_state =
            token.name == Name::Script && script_type.is_some_and(|kind| kind.starts_with(b"qwik/"));
        if let Some(state) = token.raw.clone().filter(|_| is_state) {
            let mark = |at: &usize| self.text[state.clone()][*at..].starts_with(MARK);
            for at in memchr::memchr_iter(b'\\', &self.text[state.clone()]).filter(mark) {
                let start = state.start + at + MARK.len();
                let text = &self.text[start..state.end];
                let end = memchr::memchr(b'"', text).unwrap_or(text.len());
                named.extend(self.chunks(start..start + end, |byte| byte == b' '));
            }
        }
        named
    }

    fn add_qwik_chunk(&mut self, folder: &str, chunk: &Range<usize>, known: &mut HashSet<String>) {
        let name = lossy(&self.text[chunk.clone()]).into_owned();
        let name = name.strip_prefix("./").unwrap_or(&name);
        let is_url = name.starts_with('/') || name.contains("://");
        let address = if is_url { name.to_owned() } else { folder.to_owned() + name };
        if known.insert(address.clone()) {
            let value = Some(self.page.facts.store(&address));
            let span = self.span(chunk);
            let reference = self.page.facts.references.len();
            self.page.facts.push(ReferenceKind::JsChunk, value, span);
            self.run_chunk(reference);
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
