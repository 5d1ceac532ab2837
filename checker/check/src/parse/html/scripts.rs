//! What a page runs: its script elements and all that is meant for them.

use std::ops::Range;

use super::script_type::ScriptType;
use super::{Builder, ForeignText, Origin, Token};
use crate::parse::facts::{Malformed, PageScript, ScriptSource, Speculation};
use crate::parse::json;
use crate::parse::names::Attribute;
use crate::parse::reference_kind::ReferenceKind;
use sitegate_base::json::JsonError;
use sitegate_script::{
    Goal, ascii, may_load, next_folder, next_paths, parse_import_map, parse_speculation_rules,
};

impl Builder<'_, '_> {
    pub(super) fn script(&mut self, token: &Token) {
        let first = self.page.facts.references.len();
        self.push(ReferenceKind::Script, Attribute::Src);
        let script_type = self.script_type();
        if self.page.facts.references.len() > first {
            match script_type {
                ScriptType::Run(goal) if self.is_run() => self.run_file(first, Some(goal)),
                _ => {}
            }
            return;
        }
        let is_in_page = matches!(self.origin, Origin::Source(_));
        if is_in_page && script_type != ScriptType::Data && !self.has(Attribute::Src) {
            self.read_text(ForeignText::Script(script_type), token);
        }
    }

    /// What stands in `noscript` is only read where scripts do not run.
    fn is_run(&self) -> bool {
        !matches!(self.origin, Origin::Source(1..))
    }

    /// Reads what a script element holds.
    pub(super) fn script_text(&mut self, script_type: ScriptType, content: Range<usize>) {
        let Origin::Source(start) = self.origin else { return };
        let is_run = self.is_run();
        let begin = (start + content.start) as u32;
        match script_type {
            ScriptType::Run(goal) if is_run => self.inline_script(goal, content, begin),
            ScriptType::ImportMap if is_run => self.import_map(content, begin),
            ScriptType::SpeculationRules if is_run => self.speculation_rules(content, begin),
            ScriptType::JsonLd => self.json_ld(content, begin),
            _ => {}
        }
    }

    fn script_type(&self) -> ScriptType {
        let Some(written) = self.text_of(Attribute::Type) else { return ScriptType::Run(Goal::Script) };
        let written = written.trim().to_ascii_lowercase();
        match written.as_str() {
            "module" => ScriptType::Run(Goal::Module),
            "importmap" => ScriptType::ImportMap,
            "speculationrules" => ScriptType::SpeculationRules,
            "application/ld+json" => ScriptType::JsonLd,
            // The JavaScript MIME types (WHATWG MIME Sniffing, 4.6).
            ""
            | "text/javascript"
            | "application/javascript"
            | "application/x-javascript"
            | "text/ecmascript"
            | "application/ecmascript"
            | "text/jscript"
            | "text/livescript"
            | "text/x-javascript"
            | "text/x-ecmascript"
            | "application/x-ecmascript" => ScriptType::Run(Goal::Script),
            _ => ScriptType::Data,
        }
    }

    /// The file of a reference is run.
    fn run_file(&mut self, reference: usize, goal: Option<Goal>) {
        self.page.facts.scripts.push(PageScript { source: ScriptSource::File(reference as u32), goal });
    }

    /// The last reference, where the link that it belongs to is for a script.
    pub(super) fn linked_script(&mut self, rel: &str) {
        let is = |word: &str| rel.split_ascii_whitespace().any(|token| token == word);
        let Some(last) = self.page.facts.references.len().checked_sub(1) else { return };
        if is("modulepreload") {
            self.run_file(last, Some(Goal::Module));
            self.whole_of_lean();
        } else if is("preload")
            && self.text_of(Attribute::As).is_some_and(|kind| kind.eq_ignore_ascii_case("script"))
        {
            self.run_file(last, None);
        }
    }

    /// `VitePress` preloads a page's chunk without its static parts, and loads the whole one where a reader comes from another
    /// page: `guide.md.B0_dsIRC.lean.js`, `guide.md.B0_dsIRC.js`. Seen with `VitePress` 1.6 and 2.
    fn whole_of_lean(&mut self) {
        let Some(href) = self.range_of(Attribute::Href) else { return };
        let whole = self
            .text_of(Attribute::Href)
            .and_then(|lean| Some(format!("{}.js", lean.strip_suffix(".lean.js")?)));
        if let Some(whole) = whole.filter(|whole| whole.contains(".md.")) {
            let reference = self.page.facts.references.len();
            let value = Some(self.page.facts.keep(&whole));
            let span = self.span(&href);
            self.page.facts.push(ReferenceKind::JsChunk, value, span);
            self.run_file(reference, Some(Goal::Module));
        }
    }

    /// What makes an island of Astro live (seen with Astro 5 and 6).
    pub(super) fn island(&mut self) {
        for name in [Attribute::BeforeHydrationUrl, Attribute::ComponentUrl, Attribute::RendererUrl] {
            let first = self.page.facts.references.len();
            self.push(ReferenceKind::Island, name);
            if self.page.facts.references.len() > first {
                self.run_file(first, Some(Goal::Module));
            }
        }
    }

    fn inline_script(&mut self, goal: Goal, content: Range<usize>, begin: u32) {
        let text = &self.text[content.clone()];
        let about = &mut self.page.facts.about;
        // A refresh forgets the fragment. Who keeps redirects by such pages adds it (rustdoc, MkDocs, Docusaurus, Sphinx).
        about.hands_on_fragments |= about.refreshes && memchr::memmem::find(text, b"location.hash").is_some();
        if memchr::memmem::find(text, b"__next_f").is_some() {
            self.flight(content, begin);
        } else if may_load(text) {
            let text = match std::str::from_utf8(text) {
                Ok(text) => self.page.facts.keep(text),
                Err(_) => self.page.facts.keep(&ascii(text)),
            };
            let source = ScriptSource::Inline(text, begin);
            self.page.facts.scripts.push(PageScript { source, goal: Some(goal) });
        }
    }

    /// What Next.js says of a page for its scripts, which may be far longer than the page: only its paths are of interest.
    fn flight(&mut self, content: Range<usize>, begin: u32) {
        let text = self.text;
        let Ok(text) = std::str::from_utf8(&text[content]) else { return };
        let references = &self.page.facts.references;
        let known = &mut self.named_chunks;
        for reference in &references[known.references..] {
            let Some(written) = reference.value.map(|value| self.page.str(value)) else { continue };
            if known.folder.is_none() {
                known.folder = next_folder(written).map(str::to_owned);
            }
            known.addresses.insert(written.to_owned());
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
            let value = Some(self.page.facts.keep(&address));
            let reference = self.page.facts.references.len();
            self.page.facts.push(ReferenceKind::JsChunk, value, at..at + path.len() as u32);
            if address.ends_with(".js") {
                self.run_file(reference, None);
            }
            self.named_chunks.addresses.insert(address);
        }
    }

    fn import_map(&mut self, content: Range<usize>, begin: u32) {
        let map = self.page.facts.import_map.get_or_insert_default();
        if let Err(error) = parse_import_map(map, &self.text[content], begin) {
            self.malformed("import map", error);
        }
    }

    fn speculation_rules(&mut self, content: Range<usize>, begin: u32) {
        let facts = &mut self.page.facts;
        let read = parse_speculation_rules(&self.text[content], begin, |named| {
            let text = facts.keep(named.text);
            facts.speculations.push(Speculation { text, span: named.span, is_pattern: named.is_pattern });
        });
        if let Err(error) = read {
            self.malformed("speculation rules", error);
        }
    }

    fn json_ld(&mut self, block: Range<usize>, begin: u32) {
        let facts = &mut self.page.facts;
        let read = json::json_ld(&self.text[block], |text, span| {
            let value = Some(facts.keep(text));
            facts.push(ReferenceKind::JsonLd, value, begin + span.start..begin + span.end);
        });
        if let Err(error) = read {
            self.malformed("JSON-LD", error.after(begin));
        }
    }

    fn malformed(&mut self, what: &'static str, JsonError { reason, offset }: JsonError) {
        self.page.facts.malformed.push(Malformed { what, reason, span: offset..offset });
    }
}
