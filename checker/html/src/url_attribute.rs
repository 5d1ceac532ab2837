//! Describes an attribute with URLs: the syntax of its value, and what browsers do with them.

use crate::attribute_name::Attribute;
use crate::element::{Name, Namespace};

/// An attribute with URLs, on some elements.
#[derive(Debug)]
pub struct UrlAttribute {
    /// The elements; any if there are none.
    pub elements: &'static [Name],
    /// The namespace of the elements.
    pub scope: Scope,
    /// The attribute.
    pub attribute: Attribute,
    /// Its name in reports.
    pub shown: &'static str,
    /// How its value contains URLs.
    pub syntax: UrlSyntax,
    /// What browsers do with them.
    pub effect: Effect,
    /// What else decides about them.
    pub condition: Condition,
    /// The standard or the library that defines it, by its first version.
    pub definition: &'static str,
    /// Markup with the URL `gone`, which is missing.
    pub example: &'static str,
}

/// The namespaces in which an attribute has URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Any.
    Any,
    /// Any but SVG.
    NotSvg,
    /// SVG. An `xlink:href` has the URL if there is no `href` (SVG 2, 16.1.6).
    Svg,
}

/// How a value contains URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlSyntax {
    /// It is one.
    Url,
    /// It is one, or a template or data that a script replaces.
    UrlOrTemplate,
    /// It is one if it is a path or has a host. Lazy loaders also use such attributes for names and colors.
    Path,
    /// It is the path of a Markdown file.
    MarkdownPath,
    /// Candidates with descriptors.
    Srcset,
    /// A list that is separated by white space.
    List,
    /// A style declaration.
    Style,
    /// A text that other attributes of the element explain.
    Text,
}

/// What browsers do with a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They load it.
    Load(RequestKind),
    /// They load it, only connect to its host, or do nothing, as other attributes or the style say.
    Depends,
    /// A reader follows it. It may also be a script.
    Navigate,
    /// They send a form to it.
    Submit,
    /// They send a request to it when a reader follows the link.
    Ping,
    /// A script of a library loads it for the page.
    LoadByScript,
    /// A lazy loader may load it when the element becomes visible.
    Defer,
    /// A script of a library requests it when something happens.
    Request,
    /// They resolve other URLs with it.
    Base,
    /// Nothing: it describes the element, or no browser loads it any more.
    Describe,
}

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A script element.
    Script,
    /// A preloaded script; `true` for a module, whose request counts as that of a script.
    ScriptPreload(bool),
    /// A style sheet.
    StyleSheet,
    /// A preloaded style sheet.
    StylePreload,
    /// An image.
    Image,
    /// A font.
    Font,
    /// Audio, video or a track.
    Media,
    /// A frame.
    Frame,
    /// A plug-in; `true` if it may be a document, which is governed as a frame, too.
    Object(bool),
    /// A web app manifest.
    Manifest,
    /// A connection, such as a ping.
    Connect,
    /// A prefetch.
    Prefetch,
    /// A form.
    Form,
}

/// What else decides about an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// It is required.
    Required,
    /// It is required on elements without any of these.
    RequiredWithout(&'static [Attribute]),
    /// The `type` is `image`; it is required then.
    ImageInput,
    /// Browsers load it only for an element with `default`; it is required.
    DefaultTrack,
    /// Browsers load it only without `srcdoc`.
    WithoutSrcdoc,
    /// A link of Bootstrap does not navigate.
    BootstrapToggle,
    /// If the element has an image already, the file may have another purpose, such as a light box.
    LazyLoader,
    /// The value may be a keyword for light that needs no image.
    LightKeyword,
    /// The element has a script.
    ScriptElement,
    /// The `rel` decides.
    LinkRel,
    /// The `name`, `property`, `itemprop` or `http-equiv` decides.
    MetaName,
    /// The method of the form or of the button decides.
    FormMethod,
    /// The first of the document counts.
    FirstBase,
    /// A framework runs it as a module.
    Module,
}

impl UrlAttribute {
    /// Whether it has URLs on elements in a namespace.
    pub fn is_in(&self, namespace: Namespace) -> bool {
        match self.scope {
            Scope::Any => true,
            Scope::NotSvg => namespace != Namespace::Svg,
            Scope::Svg => namespace == Namespace::Svg,
        }
    }
}

impl Effect {
    /// Whether browsers load it for the page, perhaps by a script.
    pub fn is_load(self) -> bool {
        matches!(self, Effect::Load(_) | Effect::LoadByScript)
    }
}
