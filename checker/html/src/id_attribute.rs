//! The attributes that refer to other elements of their document by id.

use crate::attribute_name::Attribute;
use crate::element::{Name, Namespace};

/// An attribute that refers to elements by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdAttribute {
    attribute: Attribute,
    /// Its name for messages.
    pub name: &'static str,
    /// The elements on which it has a meaning; all if there are none.
    elements: &'static [Name],
    /// Whether scripts often add the element that it refers to.
    pub is_scripted: bool,
}

static ID_ATTRIBUTES: [IdAttribute; 15] = [
    scripted(Attribute::AriaActivedescendant),
    scripted(Attribute::AriaControls),
    scripted(Attribute::AriaDescribedby),
    scripted(Attribute::AriaDetails),
    scripted(Attribute::AriaErrormessage),
    scripted(Attribute::AriaFlowto),
    written(Attribute::AriaLabelledby, &[]),
    scripted(Attribute::AriaOwns),
    written(Attribute::Commandfor, &[Name::Button]),
    written(Attribute::For, &[Name::Label, Name::Output]),
    written(
        Attribute::Form,
        &[
            Name::Button,
            Name::Fieldset,
            Name::Input,
            Name::Object,
            Name::Output,
            Name::Select,
            Name::Textarea,
        ],
    ),
    written(Attribute::Headers, &[Name::Td, Name::Th]),
    written(Attribute::List, &[Name::Input]),
    IN_STYLES,
    written(Attribute::Popovertarget, &[Name::Button, Name::Input]),
];

const IN_STYLES: IdAttribute =
    IdAttribute { attribute: Attribute::Paint, name: "url()", elements: &[], is_scripted: false };

const fn scripted(attribute: Attribute) -> IdAttribute {
    IdAttribute { attribute, name: attribute.as_str(), elements: &[], is_scripted: true }
}

const fn written(attribute: Attribute, elements: &'static [Name]) -> IdAttribute {
    IdAttribute { attribute, name: attribute.as_str(), elements, is_scripted: false }
}

/// The row of each attribute, plus one.
const ROWS: [u8; Attribute::COUNT] = {
    let mut rows = [0; Attribute::COUNT];
    let mut at = 0;
    while at < ID_ATTRIBUTES.len() {
        rows[ID_ATTRIBUTES[at].attribute as usize] = at as u8 + 1;
        at += 1;
    }
    rows
};

impl IdAttribute {
    /// Whether each attribute refers to ids.
    pub(crate) const KNOWN: [bool; Attribute::COUNT] = {
        let mut known = [false; Attribute::COUNT];
        let mut at = 0;
        while at < known.len() {
            known[at] = ROWS[at] != 0;
            at += 1;
        }
        known
    };

    /// Returns how an attribute refers to ids, if it does.
    #[inline]
    pub fn of(attribute: Attribute) -> Option<&'static IdAttribute> {
        ID_ATTRIBUTES.get(usize::from(ROWS[attribute as usize]).checked_sub(1)?)
    }

    /// Returns the attributes of SVG, and styles, which refer by `url(#id)`.
    pub fn in_urls() -> &'static IdAttribute {
        static IN_URLS: IdAttribute = IN_STYLES;
        &IN_URLS
    }

    /// Whether it refers by `url(#id)`, not by words.
    pub fn is_in_urls(&self) -> bool {
        self.attribute == Attribute::Paint
    }

    /// Whether it has a meaning on an element. SVG paints with `url(#id)`.
    pub fn applies_to(&self, element: Name, namespace: Namespace) -> bool {
        match self.attribute {
            Attribute::Paint => namespace == Namespace::Svg,
            _ => self.elements.is_empty() || self.elements.contains(&element),
        }
    }
}
