//! Reads the attributes of a page that are compared: all but classes, ids and those that only mark elements.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::syntax_of;
use sitegate_html::tag_reader::{ReadTag, WrittenAttribute};
use sitegate_review::{TextId, Texts, is_date};

use super::assets::digest;
use super::pass::Pass;
use crate::parse::decode_references;

/// Maximum number of bytes of a value that is stored as it is.
const MAX_VALUE: usize = 400;

/// Number of bytes of the beginning of a longer value.
const START: usize = 160;

/// Maximum number of bytes of a name.
const MAX_NAME: usize = 60;

impl Pass<'_> {
    /// Stores the attributes that are compared. `is_known` is whether the element is metadata, which is stored.
    pub fn attributes(&mut self, token: &ReadTag, attributes: &[WrittenAttribute], is_known: bool) {
        let element = &self.text[token.name_range.clone()];
        let is_html = token.namespace == Namespace::Html;
        let mut place = None;
        for own in attributes {
            let name = &self.text[own.name_range.clone()];
            let range = own.value.clone().unwrap_or(own.name_range.end..own.name_range.end);
            let written = self.source.get(range.clone()).unwrap_or("");
            // Other elements need no nonce, and what is no Base64 could be a message.
            let takes_nonce = matches!(token.name, Name::Script | Name::Style | Name::Link);
            let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte);
            if name.eq_ignore_ascii_case(b"nonce") && takes_nonce && written.bytes().all(is_base64) {
                self.state.noise.add_nonce(range, written);
                continue;
            }
            let is_anchor =
                own.name == Attribute::Id && is_html || own.name == Attribute::Name && token.name == Name::A;
            if is_anchor {
                self.state.anchors.push(self.texts.intern(&decode_references(written)));
                continue;
            }
            if is_left_out(name, own.value.is_some()) {
                continue;
            }
            let mut value = decode_references(written);
            if name.eq_ignore_ascii_case(b"datetime")
                && element.eq_ignore_ascii_case(b"time")
                && is_date(&value)
            {
                self.state.noise.replace(range, String::new());
            } else if has_urls(name, own.name) {
                value = self.stable_url(value, range);
            }
            if is_known || token.name == Name::Html && own.name == Attribute::Lang {
                continue;
            }
            let is_head = matches!(
                token.name,
                Name::Html | Name::Meta | Name::Link | Name::Base | Name::Script | Name::Style
            );
            let place = *place.get_or_insert_with(|| {
                if is_head { self.texts.intern("") } else { self.state.places.name(self.labels, self.texts) }
            });
            let name = self.labels.attribute(element, name, self.texts);
            self.state.attributes.push((place, name, value_id(&value, self.texts)));
        }
    }

    /// Returns the value of an attribute with URLs: without the base path, and without hashes in names of files.
    fn stable_url<'v>(&mut self, value: Cow<'v, str>, range: Range<usize>) -> Cow<'v, str> {
        let base = self.context.base_path;
        let below = if base == "/" { None } else { value.strip_prefix(base) };
        let below = below.map(|below| format!("/{below}"));
        let noise = &mut self.state.noise;
        let stable = below.as_deref().unwrap_or(&value);
        let masked = match self.context.names.mask(stable, |name| noise.add_name(name)) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => below.clone(),
        };
        match masked {
            Some(masked) => {
                noise.replace(range, masked.clone());
                Cow::Owned(masked)
            }
            None => value,
        }
    }
}

/// Whether an attribute is left out, or compared as an anchor or noise: classes and ids are often generated.
fn is_left_out(name: &[u8], has_value: bool) -> bool {
    let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
    // Frameworks mark the elements of a component by attributes without a value: `data-v-7ba5bd90`.
    let is_mark = || !has_value && name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data-"));
    is(b"class") || is(b"id") || is_mark()
}

/// Whether the value of an attribute has URLs: of one in the table, the manifest of HTML 5.0, and what scripts read.
fn has_urls(name: &[u8], attribute: Attribute) -> bool {
    syntax_of(attribute).is_some() || name.eq_ignore_ascii_case(b"manifest") || name.starts_with(b"data-")
}

/// Stores a value. Of a long one, its beginning and a hash.
pub(super) fn value_id(value: &str, texts: &Texts) -> TextId {
    texts.intern(&shortened(value))
}

fn shortened(value: &str) -> Cow<'_, str> {
    if value.len() <= MAX_VALUE {
        return Cow::Borrowed(value);
    }
    let start: Vec<&str> = value[..value.floor_char_boundary(START)].split_ascii_whitespace().collect();
    Cow::Owned(format!(
        "{}… ({} bytes, hash {:016x})",
        start.join(" "),
        value.len(),
        digest(value.as_bytes())
    ))
}

/// Returns the name of an attribute with its element: `a[href]`.
pub(super) fn shown_name(element: &[u8], attribute: &[u8]) -> String {
    let shown = |name: &[u8]| {
        let lower = name[..name.len().min(MAX_NAME)].to_ascii_lowercase();
        String::from_utf8_lossy(&lower).into_owned()
    };
    format!("{}[{}]", shown(element), shown(attribute))
}
