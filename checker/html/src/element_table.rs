//! The table of the attributes with URLs. A new attribute is one row: all readers of references follow the table.

use std::ops::Range;

use crate::attribute_name::Attribute;
use crate::attribute_name::IdAttribute;
use crate::element::Name;
use crate::url_attribute::Condition::{
    Always, BootstrapToggle, DefaultTrack, FirstBase, FormMethod, ImageInput, LazyLoader, LightKeyword,
    LinkRel, MetaName, Module, Required, RequiredWithout, ScriptElement, WithoutSrcdoc,
};
use crate::url_attribute::Effect::{
    self, Base, Defer, Depends, Describe, LoadByScript, Navigate, Ping, Request, Submit,
};
use crate::url_attribute::{RequestKind, Scope, UrlAttribute, UrlSyntax};

const FRAME: Effect = Effect::Load(RequestKind::Frame);
const IMAGE: Effect = Effect::Load(RequestKind::Image);
const MEDIA: Effect = Effect::Load(RequestKind::Media);
const PLUGIN: Effect = Effect::Load(RequestKind::Object(true));
const SCRIPT: Effect = Effect::Load(RequestKind::Script);

/// Declares the table. Without elements, a row is about any element.
macro_rules! url_attributes {
    ($(
        [$($element:ident)*] $attribute:ident $scope:ident $syntax:ident,
        $shown:literal, $effect:expr, $condition:expr, $definition:literal, $example:literal;
    )*) => {
        /// All attributes with URLs. Those of an element follow each other, in the order in which they are read.
        pub static URL_ATTRIBUTES: [UrlAttribute; [$($example),*].len()] = [$(UrlAttribute {
            elements: &[$(Name::$element),*],
            attribute: Attribute::$attribute,
            scope: Scope::$scope,
            syntax: UrlSyntax::$syntax,
            shown: $shown,
            effect: $effect,
            condition: $condition,
            definition: $definition,
            example: $example,
        }),*];
    };
}

url_attributes! {
    // On any element.
    [] Style Any Style, "url() in CSS", Depends, Always, "CSS 1", "<p style='background: url(gone.png)'>x</p>";
    [] HxGet Any UrlOrTemplate, "hx-get", Request, Always, "htmx", "<b hx-get=gone.html>x</b>";
    [] HxPost Any UrlOrTemplate, "hx-post", Request, Always, "htmx", "<b hx-post=./gone.html>x</b>";
    [] DataMarkdown Any MarkdownPath, "data-markdown", LoadByScript, Always, "reveal.js", "<b data-markdown=gone.md></b>";
    [] SpecUrl Any UrlOrTemplate, "API description", LoadByScript, Always, "Redoc, RapiDoc", "<redoc spec-url=gone.yaml></redoc>";
    [] Apidescriptionurl Any UrlOrTemplate, "API description", LoadByScript, Always, "Stoplight Elements",
        "<elements-api apidescriptionurl=gone.yaml></elements-api>";
    [] DataBackground Any Path, "<div data-bg>", Defer, Always, "lazy loaders", "<p data-bg=gone.png>x</p>";
    // Links.
    [A] Href NotSvg Url, "<a href>", Navigate, BootstrapToggle, "HTML 2", "<a href=gone.html>x</a>";
    [A] Href Svg Url, "<a href>", Navigate, Always, "SVG 1.1", "<svg><a xlink:href=gone.html><text>x</text></a></svg>";
    [A] Ping Any List, "<a ping>", Ping, Always, "HTML 5", "<a href=./ ping=gone.html>x</a>";
    [Area] Href Any Url, "<area href>", Navigate, Always, "HTML 3.2", "<map name=m><area href=gone.html alt=x></map>";
    [Area] Ping Any List, "<area ping>", Ping, Always, "HTML 5",
        "<map name=m><area href=./ ping=gone.html alt=x></map>";
    [Blockquote Del Ins Q] Cite Any Url, "<blockquote cite>", Describe, Always, "HTML 4", "<q cite=gone.html>x</q>";
    // The document.
    [Base] Href Any Url, "<base href>", Base, FirstBase, "HTML 2", "<base href=gone/><a href=x.html>x</a>";
    [Link] Href Any Url, "<link href>", Depends, LinkRel, "HTML 2", "<link rel=stylesheet href=gone.css>";
    [Link] Imagesrcset Any Srcset, "<link imagesrcset>", Depends, Always, "HTML 5",
        "<link rel=preload as=image imagesrcset='gone.png 2x'>";
    [Meta] Content Any Text, "<meta content>", Describe, MetaName, "HTML 2", "<meta property=og:image content=/gone.png>";
    [Script] Src NotSvg Url, "<script src>", SCRIPT, ScriptElement, "HTML 4", "<script src=gone.js></script>";
    [Script] DataSrc NotSvg Path, "data-src", Defer, LazyLoader, "lazy loaders", "<script data-src=gone.js></script>";
    [Script] Href Svg Url, "<script src>", SCRIPT, ScriptElement, "SVG 1.1", "<svg><script href=gone.js></script></svg>";
    [Body Table Tbody Td Tfoot Th Thead Tr] Background Any Url, "the attribute `background`", IMAGE, Always, "HTML 3.2",
        "<table background=gone.png><tr><td>x</table>";
    // Images and media.
    [Img] DataSrc Any Path, "data-src", Defer, LazyLoader, "lazy loaders", "<img data-src=gone.png alt=x>";
    [Img] DataSrcset Any Srcset, "data-src", Defer, LazyLoader, "lazy loaders", "<img data-srcset=gone.png alt=x>";
    [Img] Src Any Url, "<img src>", IMAGE, RequiredWithout(OTHER_SOURCES), "HTML 2", "<img src=gone.png alt=x>";
    [Img] Srcset Any Srcset, "<img srcset>", IMAGE, Always, "HTML 5", "<img srcset='gone.png 2x' alt=x>";
    [Img] Longdesc Any Url, "<img longdesc>", Describe, Always, "HTML 4", "<img src=data:, alt=x longdesc=gone.html>";
    [Source] Src Any Url, "<source src>", MEDIA, RequiredWithout(OTHER_SOURCES), "HTML 5",
        "<video><source src=gone.mp4></video>";
    [Source] Srcset Any Srcset, "<source srcset>", IMAGE, Always, "HTML 5", "<picture><source srcset=gone.png></picture>";
    [Source] DataSrc Any Path, "data-src", Defer, LazyLoader, "lazy loaders",
        "<video><source data-src=gone.mp4></video>";
    [Source] DataSrcset Any Srcset, "data-src", Defer, LazyLoader, "lazy loaders",
        "<picture><source data-srcset=gone.png></picture>";
    [Video] Src Any Url, "<video src>", MEDIA, Always, "HTML 5", "<video src=gone.mp4></video>";
    [Video] Poster Any Url, "<video poster>", IMAGE, Always, "HTML 5", "<video poster=gone.png></video>";
    [Video] DataSrc Any Path, "data-src", Defer, LazyLoader, "lazy loaders", "<video data-src=gone.mp4></video>";
    [Video] DataSrcset Any Srcset, "data-src", Defer, LazyLoader, "lazy loaders",
        "<video data-srcset=gone.mp4></video>";
    [Audio] Src Any Url, "<audio src>", MEDIA, Always, "HTML 5", "<audio src=gone.mp3></audio>";
    [Audio] DataSrc Any Path, "data-src", Defer, LazyLoader, "lazy loaders", "<audio data-src=gone.mp3></audio>";
    [Audio] DataSrcset Any Srcset, "data-src", Defer, LazyLoader, "lazy loaders",
        "<audio data-srcset=gone.mp3></audio>";
    [Track] Src Any Url, "<track src>", MEDIA, DefaultTrack, "HTML 5", "<video><track default src=gone.vtt></video>";
    // Documents in the page.
    [Iframe] Src Any Url, "<iframe src>", FRAME, WithoutSrcdoc, "HTML 4", "<iframe src=gone.html></iframe>";
    [Iframe] Longdesc Any Url, "<img longdesc>", Describe, Always, "HTML 4", "<iframe longdesc=gone.html></iframe>";
    [Iframe] DataSrc Any Path, "data-src", Defer, LazyLoader, "lazy loaders", "<iframe data-src=gone.html></iframe>";
    [Iframe] DataSrcset Any Srcset, "data-src", Defer, LazyLoader, "lazy loaders",
        "<iframe data-srcset=gone.html></iframe>";
    [Frame] Src Any Url, "<frame src>", FRAME, Always, "HTML 4", "<frameset><frame src=gone.html></frameset>";
    [Frame] Longdesc Any Url, "<img longdesc>", Describe, Always, "HTML 4",
        "<frameset><frame longdesc=gone.html></frameset>";
    [Embed] Src Any Url, "<embed src>", PLUGIN, Required, "HTML 5", "<embed src=gone.pdf>";
    [Object] Data Any Url, "<object data>", PLUGIN, Always, "HTML 4", "<object data=gone.pdf></object>";
    // Forms.
    [Form] Action Any Url, "<form action>", Submit, FormMethod, "HTML 2", "<form action=gone.html></form>";
    [Button] Formaction Any Url, "<button formaction>", Submit, FormMethod, "HTML 5",
        "<form><button formaction=gone.html>x</button></form>";
    [Input] DataSearchIndex Any Url, "search index", LoadByScript, Always, "pkgdown",
        "<input data-search-index=gone.json>";
    [Input] Src Any Url, "<input src>", IMAGE, ImageInput, "HTML 2", "<input type=image src=gone.png alt=x>";
    [Input] Formaction Any Url, "<button formaction>", Submit, FormMethod, "HTML 5",
        "<form><input type=submit formaction=gone.html></form>";
    // SVG.
    [FeImage Image] Href Svg Url, "<image href>", IMAGE, Always, "SVG 1.1", "<svg><image href=gone.png /></svg>";
    // Outside of SVG, the parser makes an `img` of it.
    [Image] Src NotSvg Url, "<img src>", IMAGE, Always, "HTML 5", "<image src=gone.png>";
    [Use] Href Svg Url, "<use href>", IMAGE, Always, "SVG 1.1", "<svg><use href=gone.svg#x /></svg>";
    // Browsers look for the other element in the same document only.
    [AltGlyph Animate AnimateMotion AnimateTransform Cursor Discard Filter FontFaceUri GlyphRef LinearGradient Mpath
        Pattern RadialGradient Set TextPath Tref] Href Svg Url, "<use href>", Describe, Always, "SVG 1.1",
        "<svg><lineargradient href=gone.svg#x /></svg>";
    // Elements of libraries.
    [AstroIsland] BeforeHydrationUrl Any Url, "<astro-island component-url>", LoadByScript, Module, "Astro 5",
        "<astro-island before-hydration-url=gone.js></astro-island>";
    [AstroIsland] ComponentUrl Any Url, "<astro-island component-url>", LoadByScript, Module, "Astro 5",
        "<astro-island component-url=gone.js></astro-island>";
    [AstroIsland] RendererUrl Any Url, "<astro-island component-url>", LoadByScript, Module, "Astro 5",
        "<astro-island renderer-url=gone.js></astro-island>";
    [ModelViewer] Src Any UrlOrTemplate, "file of <model-viewer>", LoadByScript, Always, "model-viewer",
        "<model-viewer src=gone.glb></model-viewer>";
    [ModelViewer] IosSrc Any UrlOrTemplate, "file of <model-viewer>", LoadByScript, Always, "model-viewer",
        "<model-viewer ios-src=gone.usdz></model-viewer>";
    [ModelViewer] Poster Any UrlOrTemplate, "file of <model-viewer>", LoadByScript, Always, "model-viewer",
        "<model-viewer poster=gone.png></model-viewer>";
    [ModelViewer] SkyboxImage Any UrlOrTemplate, "file of <model-viewer>", LoadByScript, LightKeyword, "model-viewer",
        "<model-viewer skybox-image=gone.hdr></model-viewer>";
    [ModelViewer] EnvironmentImage Any UrlOrTemplate, "file of <model-viewer>", LoadByScript, LightKeyword,
        "model-viewer", "<model-viewer environment-image=gone.hdr></model-viewer>";
    [TurboFrame] Src Any UrlOrTemplate, "<turbo-frame src>", LoadByScript, Always, "Turbo",
        "<turbo-frame src=gone.html></turbo-frame>";
}

/// The other attributes that give an image its file.
const OTHER_SOURCES: &[Attribute] = &[Attribute::DataSrc, Attribute::DataSrcset, Attribute::Srcset];

const COUNT: usize = URL_ATTRIBUTES.len();

/// The first row of each element, and the one after its last.
const RANGES: [(u8, u8); Name::COUNT] = {
    let mut ranges = [(0, 0); Name::COUNT];
    let mut row = 0;
    while row < COUNT {
        let elements = URL_ATTRIBUTES[row].elements;
        let mut at = 0;
        while at < elements.len() {
            let (first, end) = &mut ranges[elements[at] as usize];
            if *end == 0 {
                *first = row as u8;
            } else {
                assert!(*end == row as u8, "the rows of an element must follow each other");
            }
            *end = row as u8 + 1;
            at += 1;
        }
        row += 1;
    }
    ranges
};

/// The row of each attribute that has URLs on any element, plus one.
const GLOBAL: [u8; Attribute::COUNT] = {
    let mut rows = [0; Attribute::COUNT];
    let mut row = 0;
    while row < COUNT {
        if URL_ATTRIBUTES[row].elements.is_empty() {
            rows[URL_ATTRIBUTES[row].attribute as usize] = row as u8 + 1;
        }
        row += 1;
    }
    rows
};

/// Whether each attribute has facts on any element.
const IS_GLOBAL: [bool; Attribute::COUNT] = {
    let mut is_global = IdAttribute::KNOWN;
    let mut at = 0;
    while at < Attribute::COUNT {
        is_global[at] |= GLOBAL[at] != 0;
        at += 1;
    }
    is_global[Attribute::AriaLabel as usize] = true;
    is_global[Attribute::Id as usize] = true;
    is_global[Attribute::QwikBase as usize] = true;
    is_global
};

/// Which attributes of an element its readers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Those with a meaning on any element.
    Global,
    /// That of its only row, too.
    OneRow(Attribute),
    /// All known ones, and its tags, too.
    All,
}

/// The elements with facts that the table does not have, such as `usemap`, or that decide how a parser reads on.
const OTHER_ELEMENTS: [Name; 14] = [
    Name::Html,
    Name::Map,
    Name::Math,
    Name::Noembed,
    Name::Noframes,
    Name::Noscript,
    Name::Object,
    Name::Plaintext,
    Name::Style,
    Name::Svg,
    Name::Template,
    Name::Textarea,
    Name::Title,
    Name::Xmp,
];

/// The attributes of each element that its readers need.
const NEEDS: [Needs; Name::COUNT] = {
    let mut needs = [Needs::Global; Name::COUNT];
    let mut name = 0;
    while name < Name::COUNT {
        let (first, end) = RANGES[name];
        if end > first {
            let row = &URL_ATTRIBUTES[first as usize];
            let is_alone = end == first + 1 && matches!(row.condition, Always);
            needs[name] = if is_alone { Needs::OneRow(row.attribute) } else { Needs::All };
        }
        name += 1;
    }
    let mut at = 0;
    while at < OTHER_ELEMENTS.len() {
        needs[OTHER_ELEMENTS[at] as usize] = Needs::All;
        at += 1;
    }
    needs
};

/// How each attribute contains URLs on the first element that has it.
const SYNTAXES: [Option<UrlSyntax>; Attribute::COUNT] = {
    let mut syntaxes = [None; Attribute::COUNT];
    let mut row = COUNT;
    while row > 0 {
        row -= 1;
        syntaxes[URL_ATTRIBUTES[row].attribute as usize] = Some(URL_ATTRIBUTES[row].syntax);
    }
    syntaxes
};

/// Returns how an attribute contains URLs, if it does on some element. Components have the attributes of elements.
pub fn syntax_of(attribute: Attribute) -> Option<UrlSyntax> {
    SYNTAXES[attribute as usize]
}

/// Returns the rows of an element, as indexes of [`URL_ATTRIBUTES`].
#[inline]
pub fn rows_of(element: Name) -> Range<usize> {
    let (first, end) = RANGES[element as usize];
    usize::from(first)..usize::from(end)
}

/// Returns the row of an attribute that has URLs on any element.
#[inline]
pub fn global_row(attribute: Attribute) -> Option<usize> {
    usize::from(GLOBAL[attribute as usize]).checked_sub(1)
}

/// Whether an element has no facts without attributes.
#[inline]
pub fn needs_attributes(element: Name) -> bool {
    NEEDS[element as usize] != Needs::All
}

/// Whether an attribute of an element may have facts.
#[inline]
pub fn is_read(element: Name, attribute: Attribute) -> bool {
    IS_GLOBAL[attribute as usize]
        || match NEEDS[element as usize] {
            Needs::Global => false,
            Needs::OneRow(own) => own == attribute,
            Needs::All => attribute != Attribute::Other,
        }
}

#[cfg(test)]
mod tests {
    use super::{URL_ATTRIBUTES, global_row, is_read, needs_attributes, rows_of};
    use crate::attribute_name::Attribute;
    use crate::element::Name;

    #[test]
    fn every_row_is_found() {
        for (index, row) in URL_ATTRIBUTES.iter().enumerate() {
            for element in row.elements {
                assert!(rows_of(*element).contains(&index), "{row:?}");
                assert!(is_read(*element, row.attribute), "{row:?}");
            }
            if row.elements.is_empty() {
                assert_eq!(global_row(row.attribute), Some(index));
                assert!(is_read(Name::Other, row.attribute), "{row:?}");
            }
        }
    }

    #[test]
    fn elements_without_rows_need_global_attributes() {
        assert!(needs_attributes(Name::P) && needs_attributes(Name::Q) && !needs_attributes(Name::Img));
        assert!(is_read(Name::P, Attribute::AriaOwns) && !is_read(Name::P, Attribute::Href));
        assert!(is_read(Name::Q, Attribute::Cite) && !is_read(Name::Q, Attribute::Background));
        assert!(!is_read(Name::Img, Attribute::Other));
    }
}
