//! Reads script elements by their types: scripts that a page runs, import maps, speculation rules and JSON-LD.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr2, memmem};

use super::json_ld::json_ld;
use super::script_type::ScriptType;
use super::{Builder, ForeignText, Origin, ReadTag};
use crate::parse::facts::{AmdLoader, Malformed, PageScript, ScriptSource, Speculation};
use crate::parse::reference_kind::ReferenceKind;
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::json::JsonError;
use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::Namespace;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::url_attribute::UrlAttribute;
use sitegate_script::{
    Goal, ascii, may_load, next_folder, next_paths, parse_import_map, parse_speculation_rules,
};

/// The marks of a CDATA section.
const SECTION_START: &[u8] = b"<![CDATA[";
const SECTION_END: &[u8] = b"]]>";

impl Builder<'_, '_> {
    pub(super) fn script(&mut self, token: &ReadTag) {
        let first = self.page.facts.references.len();
        let source = match token.namespace {
            Namespace::Html => Attribute::Src,
            Namespace::Svg => self.svg_href(),
            // An element without a meaning.
            Namespace::MathMl => return,
        };
        self.push(ReferenceKind::Script, source);
        let script_type = self.script_type();
        if self.page.facts.references.len() > first {
            match script_type {
                ScriptType::Run(goal) if self.is_run() => {
                    self.run_file(first, Some(goal));
                    self.add_amd_loader(first);
                }
                _ => {}
            }
            return;
        }
        if self.is_main_document() && script_type != ScriptType::Data && !self.has(source) {
            self.read_text(ForeignText::Script(script_type), token);
        }
    }

    /// Records a script that may load AMD modules: by its name, or else by `data-main`.
    fn add_amd_loader(&mut self, reference: usize) {
        let main = self.range_of(Attribute::DataMain).filter(|range| !range.is_empty());
        let path = self.range_of(Attribute::Src).map_or(&[][..], |range| &self.text[range]);
        let is_named = is_amd_loader_path(path);
        let is_known = self.page.facts.amd_loader.as_ref().is_some_and(|known| known.is_named || !is_named);
        if is_known || !(main.is_some() || is_named) {
            return;
        }
        let main = main.map(|range| {
            let name = self.decoded(&range);
            (self.page.facts.store(&name), self.span(&range))
        });
        self.page.facts.amd_loader = Some(AmdLoader { reference: reference as u32, is_named, main });
    }

    /// Reads the text of a script element.
    pub(super) fn script_text(&mut self, script_type: ScriptType, content: Range<usize>) {
        let Origin::Source(start) = self.origin else { return };
        let is_run = self.is_run();
        let begin = (start + content.start) as u32;
        let text = match self.syntax {
            PageSyntax::Html => Cow::Borrowed(&self.text[content.clone()]),
            PageSyntax::Xml => match xml_script(&self.text[content.clone()]) {
                Some(text) => text,
                None => return,
            },
        };
        match script_type {
            ScriptType::Run(goal) if is_run => self.inline_script(goal, &text, begin),
            ScriptType::ImportMap if is_run => self.import_map(&text, begin),
            ScriptType::SpeculationRules if is_run => self.speculation_rules(&text, begin),
            ScriptType::JsonLd => self.json_ld(&text, begin),
            ScriptType::MaterialConfig => self.add_material_search(content),
            _ => {}
        }
    }

    fn script_type(&self) -> ScriptType {
        match ScriptType::of(self.text_of(Attribute::Type).as_deref()) {
            ScriptType::Data => self.material_config().unwrap_or(ScriptType::Data),
            read => read,
        }
    }

    /// Adds a chunk that a framework loads and runs.
    pub(super) fn run_chunk(&mut self, address: &str, goal: Option<Goal>, span: Range<u32>) {
        let reference = self.page.facts.references.len();
        self.page.facts.push_text(ReferenceKind::JsChunk, address, span);
        self.run_file(reference, goal);
    }

    /// Adds a reference to a script file that is run.
    fn run_file(&mut self, reference: usize, goal: Option<Goal>) {
        let source = ScriptSource::File(reference as u32);
        let is_async = self.has(Attribute::Async);
        self.page.facts.scripts.push(PageScript { source, goal, is_async });
    }

    /// Handles the last reference of a link, if the link loads a script.
    pub(super) fn add_linked_script(&mut self, rel: &str) {
        let is = |word: &str| rel.split_ascii_whitespace().any(|token| token == word);
        let Some(last) = self.page.facts.references.len().checked_sub(1) else { return };
        if is("modulepreload") {
            self.run_file(last, Some(Goal::Module));
            self.add_whole_vitepress_chunk();
        } else if is("preload")
            && self.text_of(Attribute::As).is_some_and(|kind| kind.eq_ignore_ascii_case("script"))
        {
            self.run_file(last, None);
        }
    }

    /// Adds the whole chunk of a `VitePress` page. `VitePress` preloads a chunk without static parts, and loads the
    /// whole one on navigation: `guide.md.B0_dsIRC.lean.js`, `guide.md.B0_dsIRC.js`. Verified with `VitePress` 1.6 and
    /// 2.
    fn add_whole_vitepress_chunk(&mut self) {
        let Some(href) = self.range_of(Attribute::Href) else { return };
        let whole = self
            .text_of(Attribute::Href)
            .and_then(|lean| Some(format!("{}.js", lean.strip_suffix(".lean.js")?)));
        if let Some(whole) = whole.filter(|whole| whole.contains(".md.")) {
            let span = self.span(&href);
            self.run_chunk(&whole, Some(Goal::Module), span);
        }
    }

    /// Adds a module that a framework runs (verified with islands of Astro 5 and 6).
    pub(super) fn run_module(&mut self, kind: ReferenceKind, name: Attribute) {
        let reference = self.page.facts.references.len();
        self.push(kind, name);
        if self.page.facts.references.len() > reference {
            self.run_file(reference, Some(Goal::Module));
        }
    }

    /// Adds a script that another one runs, at once or after the visitor's consent. Vite's legacy builds begin with it:
    /// `<script id=vite-legacy-entry data-src="/assets/index-legacy-D1ndTDR6.js">`.
    pub(super) fn late_script(&mut self, kind: ReferenceKind, row: &UrlAttribute) {
        let first = self.page.facts.references.len();
        self.push_lazy_row(kind, row);
        if self.page.facts.references.len() > first && self.is_run() {
            self.run_file(first, None);
        }
    }

    fn inline_script(&mut self, goal: Goal, text: &[u8], begin: u32) {
        let metadata = &mut self.page.facts.metadata;
        // A refresh drops the fragment. Redirect pages of rustdoc, MkDocs, Docusaurus and Sphinx add it by a script.
        metadata.keeps_fragment |=
            metadata.refreshes && memchr::memmem::find(text, b"location.hash").is_some();
        if memchr::memmem::find(text, b"__next_f").is_some() {
            self.add_next_chunks(text, begin);
        } else if may_load(text) {
            let text = match std::str::from_utf8(text) {
                Ok(text) => self.page.facts.store(text),
                Err(_) => self.page.facts.store(&ascii(text)),
            };
            let source = ScriptSource::Inline(text, begin);
            self.page.facts.scripts.push(PageScript { source, goal: Some(goal), is_async: false });
        }
    }

    /// Adds the paths in the data of Next.js for a page. The data may be far longer than the page.
    fn add_next_chunks(&mut self, text: &[u8], begin: u32) {
        let Ok(text) = std::str::from_utf8(text) else { return };
        let references = &self.page.facts.references;
        let known = &mut self.named_chunks;
        for reference in &references[known.references..] {
            let Some(value) = reference.value.map(|value| self.page.str(value)) else { continue };
            if known.folder.is_none() {
                known.folder = next_folder(value).map(str::to_owned);
            }
            known.addresses.insert(value.to_owned());
        }
        known.references = references.len();
        let folder = known.folder.clone().unwrap_or_default();
        for path in next_paths(text) {
            let address =
                if path.starts_with("static/") { format!("{folder}{path}") } else { path.to_owned() };
            if self.named_chunks.addresses.contains(&address) || !address.contains("/_next/") {
                continue;
            }
            let at = begin + (path.as_ptr() as usize - text.as_ptr() as usize) as u32;
            let span = at..at + path.len() as u32;
            if address.ends_with(".js") {
                self.run_chunk(&address, None, span);
            } else {
                self.page.facts.push_text(ReferenceKind::JsChunk, &address, span);
            }
            self.named_chunks.addresses.insert(address);
        }
    }

    fn import_map(&mut self, text: &[u8], begin: u32) {
        let facts = &mut self.page.facts;
        let is_module = |script: &PageScript| script.goal == Some(Goal::Module);
        if facts.import_map.is_none() && facts.scripts.iter().any(is_module) {
            facts.late_import_map = Some(begin);
        }
        let map = facts.import_map.get_or_insert_default();
        if let Err(error) = parse_import_map(map, text, begin) {
            self.malformed("import map", error);
        }
    }

    fn speculation_rules(&mut self, text: &[u8], begin: u32) {
        let facts = &mut self.page.facts;
        let read = parse_speculation_rules(text, begin, |named| {
            let value = facts.store(named.text);
            facts.speculations.push(Speculation {
                text: value,
                span: named.span,
                is_pattern: named.is_pattern,
            });
        });
        if let Err(error) = read {
            self.malformed("speculation rule set", error);
        }
    }

    fn json_ld(&mut self, text: &[u8], begin: u32) {
        let facts = &mut self.page.facts;
        let read = json_ld(text, |text, span| {
            facts.push_text(ReferenceKind::JsonLd, text, begin + span.start..begin + span.end);
        });
        if let Ok(Some((reason, span))) = &read {
            let span = begin + span.start..begin + span.end;
            facts.malformed.push(Malformed::meaning("JSON-LD", *reason, span));
        }
        if let Err(error) = read {
            let is_escaped = memchr::memmem::find(text, b"&quot;").is_some();
            let mut error = error.after(begin);
            // The position is that of the finding.
            error.reason.truncate(error.reason.rfind(" at line ").unwrap_or(error.reason.len()));
            if is_escaped {
                error.reason.push_str("; scripts are not decoded, so write `\"` instead of `&quot;`");
            }
            self.malformed("JSON-LD", error);
        }
    }

    fn malformed(&mut self, format: &'static str, JsonError { reason, offset }: JsonError) {
        self.page.facts.malformed.push(Malformed::syntax(format, reason, offset..offset));
    }
}

/// Returns the text of a script in XML, at the same offsets: spaces replace comments and the marks of sections. `None` if it
/// has references outside of sections, whose text is shorter.
fn xml_script(written: &[u8]) -> Option<Cow<'_, [u8]>> {
    if memchr2(b'<', b'&', written).is_none() {
        return Some(Cow::Borrowed(written));
    }
    let mut text = written.to_vec();
    let mut at = 0;
    while let Some(found) = memchr2(b'<', b'&', &written[at..]) {
        at += found;
        let rest = &written[at..];
        let length_to = |end: &[u8]| memmem::find(rest, end).map_or(rest.len(), |before| before + end.len());
        if rest.starts_with(SECTION_START) {
            let end = at + length_to(SECTION_END);
            text[at..at + SECTION_START.len()].fill(b' ');
            if written[..end].ends_with(SECTION_END) {
                text[end - SECTION_END.len()..end].fill(b' ');
            }
            at = end;
        } else if rest.starts_with(b"<!--") {
            let length = length_to(b"-->");
            text[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            at += length;
        } else if rest[0] == b'&' {
            return None;
        } else {
            at += 1;
        }
    }
    Some(Cow::Owned(text))
}

/// Whether a URL has the name of `RequireJS`, perhaps with a version, or of the Monaco editor's loader:
/// `require-2.3.8.min.js`.
fn is_amd_loader_path(url: &[u8]) -> bool {
    let path = UrlReference::new(url).path();
    let name = SitePath::new(path).name();
    let name = name.strip_suffix(b".js").unwrap_or(name);
    let name = name.strip_suffix(b".min").or(name.strip_suffix(b"-min")).unwrap_or(name);
    let Some(rest) = name.strip_prefix(b"require") else { return path.ends_with(b"vs/loader.js") };
    let rest = rest.strip_prefix(b"js").or(rest.strip_prefix(b".js")).unwrap_or(rest);
    match rest.split_first() {
        None => true,
        Some((b'-' | b'.' | b'_' | b'@', version)) => {
            let version = version.strip_prefix(b"v").unwrap_or(version);
            let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'.';
            version.iter().any(u8::is_ascii_digit) && version.iter().all(is_part)
        }
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_amd_loader_path, xml_script};

    #[test]
    fn scripts_in_xml_keep_their_offsets() {
        let text = |written: &str| {
            xml_script(written.as_bytes()).map(|text| String::from_utf8_lossy(&text).into_owned())
        };
        assert_eq!(text("a<![CDATA[b&<c]]>d").as_deref(), Some("a         b&<c   d"));
        assert_eq!(text("//<![CDATA[\nb\n//]]>").as_deref(), Some("//         \nb\n//   "));
        assert_eq!(text("a<!-- &\n -->b").as_deref(), Some("a      \n    b"));
        assert_eq!(text("<![CDATA[a").as_deref(), Some("         a"));
        assert_eq!(text("a &lt; b"), None);
    }

    #[test]
    fn recognizes_loaders_by_their_names() {
        for name in [
            "js/require.js",
            "require.min.js?v=3",
            "requirejs.min.js",
            "require-2.3.8.min.js",
            "require.2.1.js",
            "require-v2.3.js",
            "requirejs-2.3.6.js",
            "require.5f3a9c01.js",
            "https://cdn.example/npm/requirejs@2.3.6",
            "monaco/vs/loader.js",
        ] {
            assert!(is_amd_loader_path(name.as_bytes()), "{name}");
        }
        for name in ["require-config.js", "requirements.js", "require-css.js", "js/loader.js", "theme.js"] {
            assert!(!is_amd_loader_path(name.as_bytes()), "{name}");
        }
    }
}
