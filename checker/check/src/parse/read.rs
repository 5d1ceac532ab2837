//! Parses any file of the export: bytes in, facts out.

use std::ops::Range;

use super::app_manifest::parse_manifest;
use super::damage::is_page;
use super::decoded_file::DecodedFile;
use super::facts::{BadBytes, Malformed, MisnestedEffect, MisnestedMarkup};
use super::format::{Format, syntax_of};
use super::mapped_text::MappedText;
use super::options::{ParseOptions, ReadError};
use super::page::Page;
use super::reference_kind::ReferenceKind;
use super::source::{Source, decompress_sitemap, has_bom};
use super::{field_lines, html, inline_ignores, json, markdown, well_known, xml};
use sitegate_html::css;
use sitegate_html::syntax::PageSyntax;

/// Maximum number of forbidden texts to report per file.
const MAX_FORBIDDEN: usize = 20;

/// Parses a file's bytes. They stay in [`Page::source`], decoded, until the next file is parsed.
///
/// # Errors
/// If the file is larger than 2 GiB, or if the contract's selectors cannot be matched.
pub fn read(page: &mut Page, content: Vec<u8>, options: &ParseOptions<'_>) -> Result<(), ReadError> {
    page.clear();
    page.facts.digest = options.digest.map(|algorithm| algorithm.digest(&content));
    if options.format == Format::Other {
        page.source = Source::Bytes(content);
        return Ok(());
    }
    if content.len() > u32::MAX as usize / 2 {
        page.source = Source::Bytes(content);
        return Err(ReadError::TooLarge);
    }
    let content = decompress_sitemap(options.path, content);
    page.names_anchors = options.needs.anchor_names && options.format == Format::Html;
    page.facts.metadata.has_bom = has_bom(&content);
    page.syntax = syntax_of(options.path);
    let decoded = DecodedFile::read(options.format, page.syntax, content);
    (page.source, page.is_transcoded) = (decoded.source, decoded.is_transcoded);
    page.facts.ignores =
        inline_ignores::ignores(options.format, page.syntax, &page.source, &options.needs.ignore_attributes);
    match options.format {
        Format::Html if is_template(&page.source) => {}
        Format::Html => {
            if page.syntax == PageSyntax::Xml {
                page_of_xml(page);
            }
            html::parse_html(page, options.selected)?;
            page.facts.metadata.is_blank = page.source.trim_ascii().is_empty();
            page.facts.metadata.has_doctype = page.has_doctype();
            if let Some(at) = page.stray_mark().filter(|_| page.syntax == PageSyntax::Html) {
                let mark = MisnestedMarkup::mark_before_head(at);
                let is_head =
                    |markup: &MisnestedMarkup| matches!(markup.effect, MisnestedEffect::HeadEnds(_));
                page.facts.misnested.retain(|markup| !is_head(markup));
                page.facts.misnested.insert(0, mark);
            }
        }
        Format::Css => style_sheet(page),
        Format::Svg => document(page, "SVG", xml::parse_xml),
        Format::Xml => document(page, "XML", xml::parse_xml),
        Format::Manifest => document(page, "manifest", parse_manifest),
        Format::JsonFeed => document(page, "JSON feed", json::parse_json_feed),
        Format::MkDocsIndex => json::parse_mkdocs_index(page),
        Format::PagefindEntry => document(page, "Pagefind entry", json::parse_pagefind_entry),
        Format::Gltf => document(page, "glTF file", json::parse_gltf),
        Format::FederationManifest => document(page, "federation manifest", json::parse_federation_manifest),
        Format::Playlist => field_lines::parse_playlist(page),
        Format::Robots => field_lines::parse_robots(page),
        Format::Security => field_lines::parse_security(page),
        Format::Headers => field_lines::parse_headers(page),
        Format::WellKnownJson => well_known::parse_well_known(page, options.path),
        Format::Llms => markdown::parse_llms(page, false),
        Format::LlmsFull => markdown::parse_llms(page, true),
        Format::Other => {}
    }
    if let Format::Robots | Format::Security | Format::Llms | Format::LlmsFull = options.format {
        page_instead_of_text(page);
    }
    page.store_anchors();
    page.facts.bad_bytes = match decoded.damaged {
        Some(encoding) => Some(BadBytes::Declared(encoding)),
        None if let Some(encoding) = decoded.misdeclared => Some(BadBytes::Misdeclared(encoding)),
        None => bad_utf8(page, options.format),
    };
    // The pages have the texts of the index, too.
    if let Some(pattern) = options.needs.forbidden.as_ref().filter(|_| options.format != Format::MkDocsIndex)
    {
        let found: Vec<_> = pattern.find_iter(&page.source).take(MAX_FORBIDDEN).map(|m| m.range()).collect();
        for range in found {
            let text = String::from_utf8_lossy(&page.source[range.clone()]).into_owned();
            let text = page.facts.store(&text);
            page.facts.forbidden.push((text, range.start as u32..range.end as u32));
        }
    }
    Ok(())
}

/// Whether a file is a template that a theme copied: after comments it begins with a statement or a comment of Jinja,
/// Liquid or Twig. Readers never see it, so it is not parsed.
fn is_template(source: &[u8]) -> bool {
    let mut rest = source.trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        let Some(end) = memchr::memmem::find(comment, b"-->") else { return false };
        rest = comment[end + 3..].trim_ascii_start();
    }
    rest.starts_with(b"{%") || rest.starts_with(b"{#")
}

fn style_sheet(page: &mut Page) {
    let Page { source, facts, .. } = page;
    let mapped = match source {
        Source::Text(_) => None,
        Source::Bytes(bytes) => Some(MappedText::from_bytes(bytes, 0)),
    };
    let sheet =
        mapped.as_ref().map_or_else(|| source.text(0, source.len()).unwrap_or(""), |mapped| &mapped.text);
    let location = |range: Range<usize>| {
        let range = range.start as u32..range.end as u32;
        mapped.as_ref().map_or_else(|| range.clone(), |mapped| mapped.source(&range))
    };
    let unknown_formats = css::urls(sheet, |css_use, url, span| {
        // The encoding of the page decides which name that is.
        if mapped.is_some() && url.contains(char::REPLACEMENT_CHARACTER) {
            return;
        }
        facts.add_css_url(css_use, url, location(span));
    });
    for span in unknown_formats {
        facts.note_font_format(&sheet[span.clone()], location(span));
    }
    if let Some(span) = css::source_map(sheet) {
        facts.push_text(ReferenceKind::CssSourceMap, &sheet[span.clone()], location(span));
    }
}

/// Records the error that browsers show instead of a page of XML, and its entities.
fn page_of_xml(page: &mut Page) {
    let mut entities = xml::syntax::Entities::default();
    let fault = match &page.source {
        Source::Text(text) => xml::check_well_formed(text, &mut entities).err(),
        // Another rule reports its encoding.
        Source::Bytes(_) => None,
    };
    page.entities = entities;
    if let Some((reason, at)) = fault {
        page.facts.malformed.push(Malformed::syntax("XHTML page", reason, at..at));
    }
}

/// Records that a page of HTML is in a file of text: a host answered a missing file with the home page, and it was saved.
fn page_instead_of_text(page: &mut Page) {
    if is_page(&page.source) {
        page.facts.malformed.push(Malformed::meaning("text file", "it is a page of HTML", 0..0));
    }
}

/// Parses a file and records its error.
fn document(page: &mut Page, format: &'static str, parse: fn(&mut Page) -> Result<(), (String, u32)>) {
    if let Err((reason, at)) = parse(page) {
        page.facts.malformed.push(Malformed::syntax(format, reason, at..at));
    }
}

/// Returns the first bytes that are not UTF-8. A style sheet that declares no encoding has that of the page that loads it,
/// which is not known here (CSS Syntax, 3.2).
fn bad_utf8(page: &Page, format: Format) -> Option<BadBytes> {
    let Source::Bytes(source) = &page.source else { return None };
    let is_inherited = format == Format::Css && !page.facts.metadata.has_bom;
    let valid = str::from_utf8(source).err().filter(|_| !is_inherited)?.valid_up_to();
    source.get(valid).map(|byte| BadBytes::Utf8(*byte, valid as u32))
}
