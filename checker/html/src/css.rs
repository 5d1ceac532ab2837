//! Finds URLs in CSS: `url()`, `@import`, `image-set()` and `src()`, with a full tokenizer (CSS Syntax 3).

use std::ops::Range;

use cssparser::{ParseError, Parser, ParserInput, Token};

/// The purpose of a URL in a style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CssUse {
    /// `url(…)` and the strings of `image-set(…)`.
    Url,
    /// `@import`.
    Import,
    /// `@import` after another rule, where browsers ignore it (CSS Cascading and Inheritance, 2).
    LateImport,
    /// A URL in `@font-face`.
    Font,
}

/// The language of a style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StyleLanguage {
    /// CSS, as browsers read it.
    Css,
    /// SCSS, Sass or Less, without their comments. An `@import` has several files, and ends with its line in Sass.
    Preprocessed,
}

/// A URL in a style sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CssUrl<'u> {
    /// Its purpose.
    pub css_use: CssUse,
    /// The URL, with escapes decoded.
    pub url: &'u str,
    /// Its token: a string, or `url(…)` without quotes.
    pub token: Range<usize>,
    /// Whether the token is a string.
    pub is_quoted: bool,
}

/// Maximum depth of nested blocks; deeper ones are skipped. Each takes a frame of the stack, and a hostile sheet has
/// hundreds of thousands. Real sheets nest less than ten.
const MAX_DEPTH: usize = 75;

/// Calls `found` with each URL: its use, its value with escapes decoded, and its bytes in the sheet. Returns the bytes of
/// each `format()` in `@font-face` that no browser knows, so that browsers skip the font.
pub fn urls(css: &str, mut found: impl FnMut(CssUse, &str, Range<usize>)) -> Vec<Range<usize>> {
    each_url(css, StyleLanguage::Css, |CssUrl { css_use, url, token, .. }| {
        // The location is only the URL if it has no escapes, else the whole token.
        let span = match css[token.clone()].find(url) {
            Some(at) if !url.is_empty() => token.start + at..token.start + at + url.len(),
            _ => token,
        };
        found(css_use, url, span);
    })
}

/// Calls `found` with each URL of a sheet in a language. Returns the unknown formats, as [`urls`] does.
pub fn each_url(css: &str, language: StyleLanguage, mut found: impl FnMut(CssUrl<'_>)) -> Vec<Range<usize>> {
    let unknown_formats = Vec::new();
    let mut walk = Walk { css, language, has_rules: false, found: &mut found, unknown_formats };
    walk.block(&mut Parser::new(&mut ParserInput::new(css)), Context::Any, 0);
    walk.unknown_formats
}

/// Returns the source map that the last such comment of a sheet names (ECMA-426, 11.1.2.2).
pub fn source_map(css: &str) -> Option<Range<usize>> {
    const NAMED: &str = "sourceMappingURL=";
    let start = memchr::memmem::rfind(css.as_bytes(), NAMED.as_bytes())? + NAMED.len();
    let before = css[..start - NAMED.len()].trim_end_matches([' ', '\t']);
    let is_comment = before.ends_with("/*#") || before.ends_with("/*@");
    let rest = &css[start..];
    let length = if is_comment { rest.find("*/")? } else { return None };
    let length = rest[..length].trim_end().len();
    (length > 0 && !rest[..length].contains(char::is_whitespace)).then(|| start..start + length)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Any,
    /// After `@import`, until its first URL, or until its end in a preprocessed sheet.
    Import,
    /// After `@namespace`: its URL is a name.
    Namespace,
    /// In `image-set()`, `url()` or `src()`: strings are URLs.
    Strings,
    /// In `@font-face`.
    FontFace,
    /// In `url()` or `src()` of `@font-face`.
    FontStrings,
    /// In `format()` of `@font-face`.
    FontFormat,
}

/// The formats of fonts (CSS Fonts 4, 4.3.1).
const FONT_FORMATS: [&str; 11] = [
    "collection",
    "embedded-opentype",
    "opentype",
    "opentype-variations",
    "svg",
    "truetype",
    "truetype-variations",
    "woff",
    "woff-variations",
    "woff2",
    "woff2-variations",
];

/// Whether a browser knows a format. An earlier draft had `woff2 supports variations`.
fn is_known_format(format: &str) -> bool {
    is_one_of(format.split_ascii_whitespace().next().unwrap_or_default(), &FONT_FORMATS)
}

struct Walk<'w> {
    css: &'w str,
    language: StyleLanguage,
    /// Whether an `@import` comes too late: after a rule with a block, or `@namespace`.
    has_rules: bool,
    found: &'w mut dyn FnMut(CssUrl<'_>),
    unknown_formats: Vec<Range<usize>>,
}

impl Walk<'_> {
    fn block(&mut self, parser: &mut Parser<'_, '_>, outer: Context, depth: usize) {
        let mut context = outer;
        let mut is_font_face = false;
        loop {
            let start = parser.position().byte_index();
            let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return };
            let end = parser.position().byte_index();
            let mut nested = None;
            match &token {
                Token::UnquotedUrl(url) => {
                    self.report(context, url, start..end, false);
                    context = self.after_url(context, outer);
                }
                Token::QuotedString(format) | Token::Ident(format)
                    if context == Context::FontFormat && !is_known_format(format) =>
                {
                    self.unknown_formats.push(start..end);
                }
                Token::QuotedString(url)
                    if matches!(context, Context::Import | Context::Strings | Context::FontStrings) =>
                {
                    self.report(context, url, start..end, true);
                    context = self.after_url(context, outer);
                }
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("import") => context = Context::Import,
                Token::AtKeyword(name) if name.eq_ignore_ascii_case("namespace") => {
                    context = Context::Namespace;
                    self.has_rules = true;
                }
                Token::AtKeyword(name) => is_font_face = name.eq_ignore_ascii_case("font-face"),
                Token::Semicolon => context = outer,
                Token::WhiteSpace(_) if context == Context::Import && self.ends_import(start..end) => {
                    context = outer;
                }
                Token::Function(name) if is_one_of(name, &["url", "src"]) => {
                    nested = Some(match context {
                        Context::Any => Context::Strings,
                        Context::FontFace => Context::FontStrings,
                        _ => context,
                    });
                    if context == Context::Import {
                        context = self.after_url(context, outer);
                    }
                }
                Token::Function(name) if is_one_of(name, &["image-set", "-webkit-image-set"]) => {
                    nested = Some(Context::Strings);
                }
                Token::Function(name)
                    if context == Context::FontFace && name.eq_ignore_ascii_case("format") =>
                {
                    nested = Some(Context::FontFormat);
                }
                // `type("image/avif")` inside image-set() is not a URL.
                Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => {
                    nested = Some(Context::Any);
                }
                Token::CurlyBracketBlock => {
                    nested = Some(if is_font_face { Context::FontFace } else { Context::Any });
                    (context, is_font_face) = (outer, false);
                    self.has_rules = true;
                }
                _ => {}
            }
            if let Some(inner) = nested
                && depth < MAX_DEPTH
            {
                let result: Result<(), ParseError<'_, ()>> = parser.parse_nested_block(|block| {
                    self.block(block, inner, depth + 1);
                    Ok(())
                });
                // Malformed blocks end early, as in browsers.
                let _ = result;
            }
        }
    }

    /// Returns the context after a URL. In CSS, an import has one.
    fn after_url(&self, context: Context, outer: Context) -> Context {
        if self.language == StyleLanguage::Css { outer } else { context }
    }

    /// Whether white space ends an import of Sass, which has lines instead of semicolons.
    fn ends_import(&self, space: Range<usize>) -> bool {
        self.language == StyleLanguage::Preprocessed
            && self.css[..space.start].trim_end().ends_with(['"', '\'', ')'])
            && self.css[space].contains('\n')
    }

    fn report(&mut self, context: Context, url: &str, token: Range<usize>, is_quoted: bool) {
        let css_use = match context {
            Context::Namespace | Context::FontFormat => return,
            Context::Import if self.has_rules && self.language == StyleLanguage::Css => CssUse::LateImport,
            Context::Import => CssUse::Import,
            Context::FontFace | Context::FontStrings => CssUse::Font,
            Context::Any | Context::Strings => CssUse::Url,
        };
        (self.found)(CssUrl { css_use, url, token, is_quoted });
    }
}

fn is_one_of(name: &str, known: &[&str]) -> bool {
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::{CssUse, source_map, urls};

    fn found(css: &str) -> Vec<(CssUse, String, String)> {
        let mut all = Vec::new();
        urls(css, |css_use, url, span| all.push((css_use, url.to_owned(), css[span].to_owned())));
        all
    }

    fn values(css: &str) -> Vec<String> {
        found(css).into_iter().map(|(_, url, _)| url).collect()
    }

    #[test]
    fn decodes_quoted_unquoted_and_escaped_urls() {
        assert_eq!(values("a{b:url(x.png)}i{c:url( 'y z.png' )}"), ["x.png", "y z.png"]);
        assert_eq!(found(r"a{b:url(x\ y.png)}")[0].1, "x y.png");
        assert_eq!(found("a{b:url(x.png)}")[0].2, "x.png");
    }

    #[test]
    fn finds_imports_and_skips_other_strings() {
        assert_eq!(
            found("@import 'a.css' screen;@import url(b.css);@namespace url(http://x/);a{content:'c.css'}")
                .into_iter()
                .map(|(css_use, url, _)| (css_use, url))
                .collect::<Vec<_>>(),
            [(CssUse::Import, "a.css".to_owned()), (CssUse::Import, "b.css".to_owned())]
        );
        assert_eq!(values("/* url(no.png) */ a{b:'url(no.png)'}"), [""; 0]);
    }

    #[test]
    fn finds_imports_that_come_too_late() {
        let late = |css: &str| {
            let imports = found(css).into_iter().filter(|(css_use, ..)| *css_use == CssUse::LateImport);
            imports.map(|(_, url, _)| url).collect::<Vec<_>>()
        };
        for css in [
            "@charset 'utf-8';@import 'a';@layer x, y;@import url(b) layer(c) supports(display: grid);p{}",
            "/* p{} */@unknown x;@import 'a'",
            "@import 'a'; p { background: url(b) }",
        ] {
            assert_eq!(late(css), [""; 0], "{css}");
        }
        assert_eq!(late("p{}@import 'a'"), ["a"]);
        assert_eq!(late("p{@import 'a';}"), ["a"]);
        assert_eq!(late("@media print{p{}}\n@IMPORT url( \"a\" );"), ["a"]);
        assert_eq!(late("@import 'a';@layer x{}@import 'b'"), ["b"]);
        assert_eq!(late("@namespace url(http://x/);@import 'a'"), ["a"]);
    }

    #[test]
    fn distinguishes_fonts() {
        let css = "@font-face{src:url(a.woff2)format('woff2'),url('b.woff')}a{b:url(c.png)}";
        let uses: Vec<_> = found(css).into_iter().map(|(css_use, url, _)| (css_use, url)).collect();
        let font = |url: &str| (CssUse::Font, url.to_owned());
        assert_eq!(uses, [font("a.woff2"), font("b.woff"), (CssUse::Url, "c.png".to_owned())]);
    }

    #[test]
    fn finds_unknown_formats_of_fonts() {
        let unknown = |css: &str| {
            let formats = urls(css, |_, _, _| {});
            formats.into_iter().map(|range| css[range].to_owned()).collect::<Vec<_>>()
        };
        for css in [
            "@font-face{src:url(a)format('WOFF2'),url(b) format(woff2) tech(variations)}",
            "@font-face{src:url(a)format('woff2 supports variations'),url(b)format('embedded-opentype')}",
            "a{b:format('ttf')}",
        ] {
            assert_eq!(unknown(css), [""; 0], "{css}");
        }
        assert_eq!(unknown("@font-face{src:url(a)format('woff'),url(b.ttf)format('ttf')}"), ["'ttf'"]);
        assert_eq!(unknown("@font-face{src:url(a)format(otf)}"), ["otf"]);
    }

    #[test]
    fn finds_strings_in_image_set() {
        assert_eq!(values("a{b:image-set('x.avif' type('image/avif'), url(y.png) 2x)}"), ["x.avif", "y.png"]);
    }

    #[test]
    fn the_last_comment_names_the_source_map() {
        let named = |css: &'static str| source_map(css).map(|range| &css[range]);
        assert_eq!(
            named("/*# sourceMappingURL=a.map */\na{}\n/*# sourceMappingURL=b.css.map */\n"),
            Some("b.css.map")
        );
        assert_eq!(named("/*@ sourceMappingURL=c.map*/"), Some("c.map"));
        assert_eq!(named("a{content:'sourceMappingURL=d.map'}/* */"), None);
        assert_eq!(named("/*# sourceMappingURL= */"), None);
        assert_eq!(named("/*# sourceMappingURL=e.map"), None);
    }

    #[test]
    fn limits_the_depth() {
        let deep = "(".repeat(100_000);
        assert_eq!(values(&deep), [""; 0]);
        let nested = |depth| format!("{}url(a){}url(b)", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(values(&nested(super::MAX_DEPTH)), ["a", "b"]);
        assert_eq!(values(&nested(super::MAX_DEPTH + 1)), ["b"]);
    }
}
