//! Collects the references and ids of each element of HTML and SVG.

use sitegate_html::attribute_name::Attribute;
use sitegate_html::attribute_name::IdAttribute;
use sitegate_html::css;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::{URL_ATTRIBUTES, global_row, rows_of};
use sitegate_html::refresh::{self, Refresh};
use sitegate_html::syntax::PageSyntax;
use sitegate_html::url_attribute::{Condition, Scope, UrlAttribute, UrlSyntax};
use std::ops::Range;
use std::rc::Rc;

use super::{Builder, ForeignText, FormMethod, MAX_NESTING, Origin, Piece, PieceText, ReadTag, Srcdoc};
use crate::parse::facts::{MAX_BASE, Malformed};
use crate::parse::html_text::decode_references;
use crate::parse::mapped_text::MappedText;
use crate::parse::page_metadata::NoteKind;
use crate::parse::reference::{ReferencedId, Value, ids_in_urls, is_relative};
use crate::parse::reference_kind::{ReferenceKind, Role};
use sitegate_address::hashed_name::is_hashed;

impl Builder<'_, '_> {
    /// Reads attributes that any element may have.
    pub(super) fn any_element(&mut self, token: &ReadTag) {
        for index in 0..self.attributes.len() {
            let attribute = self.attributes[index].name;
            match attribute {
                Attribute::Id if self.is_main_document() => self.id(index, token),
                Attribute::QwikBase => self.begin_qwik(),
                Attribute::AriaLabel => {
                    self.note_missing_value("`aria-label`", self.attributes[index].value.clone());
                }
                _ => {
                    if let Some(row) = global_row(attribute)
                        && let Some(kind) = ReferenceKind::of_row(row)
                    {
                        self.push_urls(kind, URL_ATTRIBUTES[row].syntax, index);
                    } else if let Some(id_attribute) = IdAttribute::of(attribute) {
                        self.add_referenced_ids(id_attribute, index, token);
                    }
                }
            }
        }
    }

    fn id(&mut self, index: usize, token: &ReadTag) {
        let (value, span) = self.value_at(index);
        let tree = self.shadow_tree;
        if tree > 0 {
            self.page.shadow_ids.push((self.page.ids.len(), tree));
        }
        if self.page.names_anchors {
            let id = self.page.ids.len();
            if is_heading(token.name) {
                self.page.heading_ids.push(id);
            } else if is_hidden(token.name) {
                self.page.hidden_ids.push(id);
            }
        }
        self.page.ids.push((value, span));
    }

    /// Reads an element with rows in the table of attributes, or with facts of its own.
    pub(super) fn known_element(&mut self, token: &ReadTag) {
        for row in rows_of(token.name) {
            if URL_ATTRIBUTES[row].is_in(token.namespace) {
                self.row(row, token);
            }
        }
        match token.name {
            Name::A if token.namespace != Namespace::Svg => self.anchor_name(),
            Name::Img | Name::Object | Name::Input => self.usemap(),
            Name::Map => {
                for name in [Attribute::Name, Attribute::Id] {
                    if let Some((name, _)) = self.value(name) {
                        self.page.facts.maps.push(name);
                    }
                }
            }
            Name::Iframe => self.srcdoc(),
            Name::Form => self.read_documentation_form(),
            Name::Style => self.read_text(ForeignText::Style, token),
            Name::Noscript => self.noscript(token),
            _ => {}
        }
    }

    /// Reads a row of the table on an element that it is about.
    fn row(&mut self, index: usize, token: &ReadTag) {
        let (row, range) = (&URL_ATTRIBUTES[index], &token.range);
        let Some(kind) = ReferenceKind::of_row(index) else { return self.base() };
        match row.condition {
            // Browsers ignore the URL of a frame that has its content.
            Condition::WithoutSrcdoc if self.has(Attribute::Srcdoc) => {}
            Condition::Always | Condition::WithoutSrcdoc => self.push_row(kind, row),
            Condition::Required | Condition::DefaultTrack => self.push_needed(kind, row.attribute, range),
            Condition::RequiredWithout(others) => {
                if self.has(row.attribute) || !others.iter().any(|other| self.has(*other)) {
                    self.push_needed(kind, row.attribute, range);
                }
            }
            Condition::ImageInput => {
                if self.is_word(Attribute::Type, "image") {
                    self.push_needed(kind, row.attribute, range);
                }
            }
            Condition::BootstrapToggle => {
                self.push(if self.is_toggle() { ReferenceKind::Toggle } else { kind }, row.attribute);
            }
            Condition::LazyLoader if token.name == Name::Script => self.late_script(kind, row),
            Condition::LazyLoader => self.push_lazy_row(kind, row),
            Condition::LightKeyword => {
                if !matches!(self.text_of(row.attribute).as_deref(), Some("legacy" | "neutral")) {
                    self.push_row(kind, row);
                }
            }
            Condition::ScriptElement => self.script(token),
            Condition::LinkRel => self.link(range),
            Condition::MetaName => self.meta(range),
            Condition::FormMethod if row.attribute == Attribute::Action => self.form(),
            Condition::FormMethod => self.form_action(),
            Condition::FirstBase => self.base(),
            Condition::Module => self.run_module(kind, row.attribute),
        }
    }

    /// Adds the URLs of an optional attribute.
    fn push_row(&mut self, kind: ReferenceKind, row: &UrlAttribute) {
        if row.scope == Scope::Svg {
            self.svg_reference(kind);
        } else if let Some(index) = self.index_of(row.attribute) {
            self.push_urls(kind, row.syntax, index);
        }
    }

    /// Adds the URLs in the value of an attribute.
    fn push_urls(&mut self, kind: ReferenceKind, syntax: UrlSyntax, index: usize) {
        match syntax {
            UrlSyntax::Url => self.push_at(kind, index),
            UrlSyntax::UrlOrTemplate => self.push_request(kind, index),
            UrlSyntax::Path => self.push_lazy(kind, index),
            UrlSyntax::MarkdownPath => self.push_markdown(index),
            UrlSyntax::Srcset => self.push_srcset(kind, index),
            UrlSyntax::List => self.push_list(kind, index),
            UrlSyntax::Style => self.style_attribute(index),
            UrlSyntax::Text => {}
        }
    }

    /// Adds the name of a link, which fragments may refer to as to an id.
    fn anchor_name(&mut self) {
        if self.is_main_document()
            && self.shadow_tree == 0
            && let Some((name, _)) = self.value(Attribute::Name)
        {
            self.page.names.push(name);
        }
    }

    /// Whether Bootstrap handles clicks on the link. Its fragment is then the selector of the element to show, and the
    /// browser does not follow it. Tabs and pills are links to a part of the page even without Bootstrap.
    fn is_toggle(&self) -> bool {
        self.text_of(Attribute::DataToggle)
            .is_some_and(|toggle| matches!(&*toggle, "collapse" | "dropdown" | "modal" | "offcanvas"))
            && self.text_of(Attribute::Href).is_some_and(|href| href.starts_with('#'))
    }

    /// Reads the base URL of the page. Its length is limited, because every relative URL is appended to it.
    fn base(&mut self) {
        if self.page.facts.base.is_some() || !self.is_main_document() {
            return;
        }
        match self.value(Attribute::Href) {
            Some((value, span)) if value.end - value.start > MAX_BASE => {
                let reason = format!("it is longer than {MAX_BASE} bytes, and is skipped");
                self.page.facts.malformed.push(Malformed::syntax("<base href>", reason, span));
            }
            Some((value, span)) => {
                self.page.facts.base = Some(value);
                self.note_late_base(span);
            }
            None => {}
        }
    }

    /// Notes that an element before the base loads a relative URL: it is resolved against the URL of the page.
    fn note_late_base(&mut self, span: Range<u32>) {
        let references = self.page.facts.references.iter();
        let loads =
            references.filter(|reference| reference.kind.role() == Role::Load && reference.value.is_some());
        let mut loaded = loads.filter_map(|reference| {
            let text = self.text.get(reference.span.start as usize..reference.span.end as usize)?;
            str::from_utf8(text.trim_ascii()).ok()
        });
        let depends =
            |text: &&str| is_relative(text) && !text.is_empty() && !text.starts_with(['/', '#', '?']);
        if let Some(first) = loaded.find(depends) {
            let kind = NoteKind::LateBase(first.to_owned());
            self.page.facts.note(kind, span);
        }
    }

    fn link(&mut self, range: &Range<usize>) {
        const LOADS: [&str; 7] =
            ["stylesheet", "icon", "preload", "modulepreload", "manifest", "apple-touch-icon", "mask-icon"];
        let rel = self.text_of(Attribute::Rel).map(|rel| rel.to_ascii_lowercase()).unwrap_or_default();
        let has = |token: &str| rel.split_ascii_whitespace().any(|t| t == token);
        let connects = has("preconnect") || has("dns-prefetch");
        let loads = LOADS.iter().any(|token| has(token)) || self.has(Attribute::Imagesrcset);
        let kind = if connects && !loads {
            ReferenceKind::LinkConnect
        } else if has("stylesheet") {
            ReferenceKind::LinkStylesheet
        } else if has("icon") {
            ReferenceKind::LinkIcon
        } else if rel.trim() == "preload" && self.is_image_hint() {
            ReferenceKind::LinkPreload
        } else if loads {
            ReferenceKind::Link
        } else if has("canonical") {
            ReferenceKind::LinkCanonical
        } else {
            ReferenceKind::LinkRelated
        };
        if self.has(Attribute::Href) || !self.has(Attribute::Imagesrcset) {
            self.push_needed(kind, Attribute::Href, range);
            self.add_linked_script(&rel);
        }
    }

    /// Whether a preload is only a hint: the image appears where an element or a style sheet loads it. A name with a
    /// content hash was written by the build, for scripts to show the image.
    fn is_image_hint(&self) -> bool {
        self.text_of(Attribute::As).is_some_and(|kind| kind.eq_ignore_ascii_case("image"))
            && self.text_of(Attribute::Href).is_some_and(|href| !is_hashed(&href))
    }

    /// Adds the action of a form; `method=dialog` has none, because it only closes a dialog.
    fn form(&mut self) {
        self.form_method = self.method(Attribute::Method).unwrap_or_default();
        match self.form_method {
            // An empty action is the URL of the document, not of its `base` element (HTML 4.10.22.3).
            FormMethod::Get if self.text_of(Attribute::Action).is_some_and(|action| action.is_empty()) => {}
            FormMethod::Get => self.push(ReferenceKind::Form, Attribute::Action),
            FormMethod::Post => self.push(ReferenceKind::FormPost, Attribute::Action),
            FormMethod::Dialog => {}
        }
    }

    /// Adds the form action of a button.
    fn form_action(&mut self) {
        match self.method(Attribute::Formmethod).unwrap_or(self.form_method) {
            FormMethod::Get => self.push(ReferenceKind::Formaction, Attribute::Formaction),
            FormMethod::Post => self.push(ReferenceKind::FormactionPost, Attribute::Formaction),
            FormMethod::Dialog => {}
        }
    }

    /// Returns the method that an attribute names (HTML 4.10.18.6); GET for an unknown word.
    fn method(&self, name: Attribute) -> Option<FormMethod> {
        let text = self.text_of(name)?;
        let word = text.trim();
        Some(if word.eq_ignore_ascii_case("post") {
            FormMethod::Post
        } else if word.eq_ignore_ascii_case("dialog") {
            FormMethod::Dialog
        } else {
            FormMethod::Get
        })
    }

    fn meta(&mut self, range: &Range<usize>) {
        self.read_documentation_meta(range);
        if let Some(kind) = self.social_kind() {
            self.push_needed(kind, Attribute::Content, range);
            self.note_property(kind);
        } else if let Some(kind) = self.item_kind() {
            self.push(kind, Attribute::Content);
        }
        let Some(equiv) = self.text_of(Attribute::HttpEquiv) else { return };
        let equiv = equiv.trim().to_ascii_lowercase();
        let Some(content) = self.range_of(Attribute::Content) else {
            if equiv == "refresh" {
                self.push_absent(ReferenceKind::Refresh, range);
            }
            return;
        };
        match equiv.as_str() {
            "refresh" => {
                let value = self.mapped(&content);
                let to = refresh::parse(&value.text);
                if self.is_document() {
                    self.note_refresh(range, &to, refresh::is_immediate(&value.text));
                }
                match to {
                    Refresh::Url(url) => self.push_part(ReferenceKind::Refresh, &value, url),
                    Refresh::Invalid => {
                        let span = self.span(&content);
                        self.page.facts.invalid_refreshes.push(span);
                    }
                    Refresh::Reload => {}
                }
            }
            crate::csp::HEADER => self.page.facts.metadata.has_policy = true,
            _ => {}
        }
    }

    fn note_refresh(&mut self, tag: &Range<usize>, to: &Refresh, is_immediate: bool) {
        let span = self.span(tag);
        let metadata = &mut self.page.facts.metadata;
        match to {
            Refresh::Url(_) => {
                metadata.refreshes = true;
                metadata.refreshes_at_once |= is_immediate;
            }
            Refresh::Reload if is_immediate => drop(metadata.reloads.get_or_insert(span)),
            Refresh::Reload | Refresh::Invalid => {}
        }
    }

    /// Returns the kind of URL in an Open Graph or Twitter card property, or in another that names an image.
    fn social_kind(&self) -> Option<ReferenceKind> {
        let name = self.text_of(Attribute::Property).or_else(|| self.text_of(Attribute::Name))?;
        match name.trim().to_ascii_lowercase().as_str() {
            "og:url" | "twitter:url" | "msapplication-starturl" => Some(ReferenceKind::MetaUrl),
            "og:image" | "og:image:url" | "og:image:secure_url" => Some(ReferenceKind::MetaOgImage),
            "og:video" | "og:video:url" | "og:video:secure_url" => Some(ReferenceKind::MetaOgVideo),
            "og:audio" | "og:audio:url" | "og:audio:secure_url" => Some(ReferenceKind::MetaOgAudio),
            "twitter:image" | "twitter:image:src" => Some(ReferenceKind::MetaTwitterImage),
            "twitter:player" | "twitter:player:stream" => Some(ReferenceKind::MetaTwitterPlayer),
            "msapplication-square70x70logo"
            | "msapplication-square150x150logo"
            | "msapplication-square310x310logo"
            | "msapplication-tileimage"
            | "msapplication-wide310x150logo" => Some(ReferenceKind::MetaTile),
            // `none` means that there is no such file.
            "msapplication-config" => {
                let content = self.text_of(Attribute::Content)?;
                (!content.trim().eq_ignore_ascii_case("none")).then_some(ReferenceKind::MetaConfig)
            }
            _ => None,
        }
    }

    /// Returns the kind of a microdata property that contains a URL by schema.org. Its content is text without a base
    /// URL, so only absolute URLs and paths count.
    fn item_kind(&self) -> Option<ReferenceKind> {
        let properties = self.text_of(Attribute::Itemprop)?;
        let content = self.text_of(Attribute::Content)?;
        let content = content.trim();
        let is_url =
            content.starts_with("https://") || content.starts_with("http://") || content.starts_with('/');
        if !is_url {
            return None;
        }
        properties.split_ascii_whitespace().find_map(|property| match property {
            "contentUrl" | "image" | "logo" | "screenshot" | "thumbnailUrl" => Some(ReferenceKind::MetaImage),
            "discussionUrl" | "downloadUrl" | "embedUrl" | "mainEntityOfPage" | "sameAs" | "url" => {
                Some(ReferenceKind::MetaUrl)
            }
            _ => None,
        })
    }

    fn usemap(&mut self) {
        if let Some(usemap) = self.value(Attribute::Usemap) {
            self.page.facts.usemaps.push(usemap);
        }
    }

    /// Queues the content of `noscript`, which is text if scripts run: it is parsed separately.
    fn noscript(&mut self, token: &ReadTag) {
        if let (Origin::Source(start), Some(content)) = (&self.origin, &token.raw) {
            let text = PieceText::Source(start + content.start..start + content.end);
            self.pending.push(Piece { text, nesting: self.nesting });
        }
    }

    fn srcdoc(&mut self) {
        let Some(range) = self.range_of(Attribute::Srcdoc) else { return };
        if self.nesting < MAX_NESTING {
            let around = match &self.origin {
                Origin::Source(_) => None,
                Origin::Decoded(around) => Some(Rc::clone(around)),
            };
            let start =
                if let Origin::Source(start) = self.origin { start + range.start } else { range.start };
            let mapped = MappedText::from_attribute(&self.text[range], start);
            let document = Rc::new(Srcdoc { mapped, outer: around });
            self.pending.push(Piece { text: PieceText::Decoded(document), nesting: self.nesting + 1 });
        }
    }

    /// Adds the ids that an attribute refers to: words, or `url(#id)`.
    fn add_referenced_ids(&mut self, attribute: &'static IdAttribute, index: usize, token: &ReadTag) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        if !self.is_main_document() || !attribute.applies_to(token.name, token.namespace) {
            return;
        }
        if attribute.is_in_urls() {
            self.paint(&range);
            return self.add_ids_in_urls(&range);
        }
        let mut at = range.start;
        for word in self.text[range].split(u8::is_ascii_whitespace) {
            if !word.is_empty() {
                self.add_referenced_id(attribute, at..at + word.len());
            }
            at += word.len() + 1;
        }
    }

    fn add_referenced_id(&mut self, attribute: &'static IdAttribute, range: Range<usize>) {
        let span = self.span(&range);
        let id = Value { start: span.start, end: span.end, in_source: true };
        let tree = self.shadow_tree;
        self.page.referenced_ids.push(ReferencedId { attribute, id, span, tree });
    }

    /// Adds the ids in `url(#id)` of a style or of an SVG attribute.
    fn add_ids_in_urls(&mut self, range: &Range<usize>) {
        let Ok(written) = std::str::from_utf8(&self.text[range.clone()]) else { return };
        let tree = self.shadow_tree;
        for (id, _) in ids_in_urls(&decode_references(written)) {
            let span = self.span(range);
            let id = self.page.facts.store(&id);
            self.page.referenced_ids.push(ReferencedId { attribute: IdAttribute::in_urls(), id, span, tree });
        }
    }

    /// Adds the URL of another file in a presentation attribute of SVG, such as `mask="url(shapes.svg#round)"`.
    fn paint(&mut self, range: &Range<usize>) {
        let text = self.text[range.clone()].trim_ascii_start();
        if may_have_urls(text) && !text.starts_with(b"url(#") {
            self.css(&self.mapped(range));
        }
    }

    fn style_attribute(&mut self, index: usize) {
        if let Some(range) = self.attributes[index].value.clone() {
            if self.is_main_document() {
                self.add_ids_in_urls(&range);
            }
            if may_have_urls(&self.text[range.clone()]) {
                self.css(&self.mapped(&range));
            }
        }
    }

    /// Adds the URLs of a style element.
    pub(super) fn style_sheet(&mut self, range: Range<usize>) {
        let written = &self.text[range.clone()];
        if !may_have_urls(written) {
            return;
        }
        let sheet = match (self.syntax, str::from_utf8(written)) {
            (PageSyntax::Xml, Ok(text)) => MappedText::from_xml(text, range.start),
            _ => MappedText::from_bytes(written, range.start),
        };
        self.css(&sheet);
    }

    /// Adds the URLs of CSS.
    fn css(&mut self, sheet: &MappedText) {
        let unknown_formats = css::urls(&sheet.text, |css_use, url, range| {
            let span = self.span_in(sheet, &range);
            self.page.facts.add_css_url(css_use, url, span);
        });
        for range in unknown_formats {
            let span = self.span_in(sheet, &range);
            self.page.facts.note_font_format(&sheet.text[range], span);
        }
    }

    /// SVG reads `href` first, then `xlink:href`.
    fn svg_reference(&mut self, kind: ReferenceKind) {
        let name = self.svg_href();
        let tree = self.shadow_tree;
        if kind == ReferenceKind::SvgUse && tree > 0 && self.is_main_document() {
            let is_fragment = self.text_of(name).is_some_and(|href| href.trim_start().starts_with('#'));
            if is_fragment && let Some((value, span)) = self.value(name) {
                self.page.shadow_uses.push((value, span, tree));
                return;
            }
        }
        self.push(kind, name);
    }

    /// Returns the attribute with the URL of an SVG element: `href` comes before `xlink:href` (SVG 2, 16.1.6).
    pub(super) fn svg_href(&self) -> Attribute {
        if self.has(Attribute::Href) { Attribute::Href } else { Attribute::XlinkHref }
    }
}

/// Whether CSS may contain a URL.
fn may_have_urls(css: &[u8]) -> bool {
    memchr::memchr2(b'(', b'@', css).is_some()
}

/// Whether browsers render nothing for elements of this name, so that no link can scroll to them.
fn is_hidden(name: Name) -> bool {
    matches!(
        name,
        Name::Script
            | Name::Style
            | Name::Meta
            | Name::Link
            | Name::Title
            | Name::Base
            | Name::Template
            | Name::Head
    )
}

/// Whether authors expect links to elements of this name.
fn is_heading(name: Name) -> bool {
    name.is_heading() || matches!(name, Name::Dt | Name::Section | Name::Figure)
}
