//! Tracks SVG and `MathML` content as `lol_html` does, which implements fewer rules than the standard.

use super::tokenizer::{Namespace, is_html_only};
use crate::parse::names::Tag;

/// The namespaces that are open below HTML, as `lol_html` sees them.
#[derive(Default)]
pub(super) struct ForeignContent {
    open: Vec<Namespace>,
}

impl ForeignContent {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the current namespace.
    pub fn namespace(&self) -> Namespace {
        self.open.last().copied().unwrap_or(Namespace::Html)
    }

    /// Handles a start tag. Returns whether its name alone determines the namespace.
    pub fn start_tag(&mut self, tag: Tag, name: &[u8], is_empty: bool) -> bool {
        let here = self.namespace();
        match tag {
            Tag::Svg => self.open.push(Namespace::Svg),
            Tag::Math => self.open.push(Namespace::MathMl),
            _ if here == Namespace::Html => {}
            _ if is_html_only(name) => drop(self.open.pop()),
            _ if holds_html(here, name) => self.open.extend((!is_empty).then_some(Namespace::Html)),
            // It depends on the attributes.
            _ => return !is_one_of(name, &["font", "annotation-xml"]),
        }
        true
    }

    /// Handles an end tag.
    pub fn end_tag(&mut self, tag: Tag, name: &[u8]) {
        let leaves = match self.namespace() {
            Namespace::Html => match self.open[..] {
                [.., around, _] => holds_html(around, name) || ends_annotation(around, name),
                _ => false,
            },
            Namespace::Svg => tag == Tag::Svg || is_one_of(name, &["p", "br"]),
            Namespace::MathMl => tag == Tag::Math || is_one_of(name, &["p", "br"]),
        };
        if leaves {
            self.open.pop();
        }
    }
}

/// Whether an element of SVG or `MathML` contains HTML, independently of its attributes.
fn holds_html(namespace: Namespace, name: &[u8]) -> bool {
    match namespace {
        Namespace::Html => false,
        Namespace::Svg => is_one_of(name, &["desc", "title", "foreignobject"]),
        Namespace::MathMl => is_one_of(name, &["mi", "mo", "mn", "ms", "mtext"]),
    }
}

fn ends_annotation(around: Namespace, name: &[u8]) -> bool {
    around == Namespace::MathMl && is_one_of(name, &["annotation-xml"])
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}
