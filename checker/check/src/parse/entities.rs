//! The entities that a document defines in its doctype (XML 1.0, 4.2).

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// Maximum number of bytes that the references of one document expand to, and that one entity has. Entities that contain
/// each other can be far longer than the file. Chosen: those of Illustrator are shorter than 100 bytes.
const MAX_EXPANSION: usize = 1 << 20;
const MAX_ENTITY: usize = 1 << 12;

/// Maximum number of entities. Chosen: the DTDs of XHTML define 253.
const MAX_ENTITIES: usize = 1 << 10;

/// Maximum length of a name in bytes.
const MAX_NAME: usize = 64;

/// The entities of a document, besides those of XML.
#[derive(Debug, Default)]
pub(crate) struct Entities {
    /// Their texts, in which references are expanded.
    texts: HashMap<Box<str>, Box<str>>,
    /// Whether other files, or what was too long, may define more.
    pub is_partial: bool,
    /// Number of bytes that references were expanded to.
    expanded: Cell<usize>,
}

impl Entities {
    /// Reads the text of a doctype.
    pub fn read(doctype: &str) -> Entities {
        let (start, subset) = doctype.split_once('[').unwrap_or((doctype, ""));
        let has_external = |text: &str| text.contains("PUBLIC") || text.contains("SYSTEM");
        let mut entities = Entities { is_partial: has_external(start), ..Entities::default() };
        let mut rest = subset;
        while let Some(at) = rest.find("<!") {
            rest = &rest[at..];
            if rest.starts_with("<!--") {
                rest = rest.split_once("-->").map_or("", |(_, rest)| rest);
                continue;
            }
            let declaration = rest.strip_prefix("<!ENTITY").map(str::trim_start);
            rest = &rest["<!".len()..];
            let Some((name, value)) = declaration.and_then(|text| text.split_once(char::is_whitespace))
            else {
                continue;
            };
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
            let Some((value, after)) = quote.and_then(|quote| value[1..].split_once(quote)) else {
                // A parameter entity, or one in another file.
                entities.is_partial = true;
                continue;
            };
            rest = after;
            entities.define(name, value);
        }
        entities.expanded.set(0);
        entities
    }

    /// Defines an entity, by names that are defined before. The first definition counts.
    fn define(&mut self, name: &str, value: &str) {
        if self.texts.contains_key(name) {
            return;
        }
        let text = self.expand(value).filter(|text| text.len() <= MAX_ENTITY).map(Cow::into_owned);
        match text.filter(|_| self.texts.len() < MAX_ENTITIES) {
            Some(text) => drop(self.texts.insert(name.into(), text.into())),
            None => self.is_partial = true,
        }
    }

    /// Whether it has no entity.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty() && !self.is_partial
    }

    /// Returns the text of an entity.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(|text| &**text)
    }

    /// Expands the references to the entities; references of XML stay. `None` if a reference is unknown because the
    /// entities are, or if the text would be too long.
    pub(crate) fn expand<'t>(&self, written: &'t str) -> Option<Cow<'t, str>> {
        if self.is_empty() || !written.contains('&') {
            return Some(Cow::Borrowed(written));
        }
        let mut text = String::new();
        let mut rest = written;
        while let Some((before, after)) = rest.split_once('&') {
            text.push_str(before);
            rest = after;
            let name = reference_name(after).filter(|name| !is_of_xml(name));
            match name.map(|name| (name, self.get(name))) {
                Some((name, Some(entity))) => {
                    text.push_str(entity);
                    rest = &after[name.len() + 1..];
                    self.expanded.set(self.expanded.get() + entity.len());
                    if self.expanded.get() > MAX_EXPANSION {
                        return None;
                    }
                }
                Some(_) if self.is_partial => return None,
                _ => text.push('&'),
            }
        }
        text.push_str(rest);
        Some(Cow::Owned(text))
    }
}

/// Returns the name of the reference whose `&` a text follows.
pub(super) fn reference_name(text: &str) -> Option<&str> {
    let end = text.bytes().take(MAX_NAME).position(|byte| byte == b';')?;
    let name = text.get(..end)?;
    let is_name = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "&<>\"'=/?".contains(c));
    is_name.then_some(name)
}

/// Whether each parser knows a reference by its name.
pub(super) fn is_of_xml(name: &str) -> bool {
    name.starts_with('#') || matches!(name, "amp" | "apos" | "gt" | "lt" | "quot")
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::fmt::Write as _;

    use super::{Entities, MAX_EXPANSION};

    fn expand(doctype: &str, text: &str) -> Option<String> {
        Entities::read(doctype).expand(text).map(Cow::into_owned)
    }

    #[test]
    fn expands_the_entities_of_a_doctype() {
        let doctype =
            "svg [<!ENTITY p \"/blog\"><!-- <!ENTITY c 'c'> -->\n<!ENTITY q  '&p;/x' ><!ENTITY p 'no'>]";
        assert_eq!(expand(doctype, "&p;/&q;&amp;&c;&#38;&").as_deref(), Some("/blog//blog/x&amp;&c;&#38;&"));
        assert_eq!(expand("svg", "&p;").as_deref(), Some("&p;"));
        assert_eq!(expand("svg PUBLIC 'x' 'y'", "a&p;"), None);
        assert_eq!(expand("svg [<!ENTITY % p SYSTEM 'x'> %p;]", "a&p;"), None);
        assert_eq!(expand("svg [<!ENTITY p SYSTEM 'x'><!ENTITY q 'y'>]", "&q;").as_deref(), Some("y"));
    }

    #[test]
    fn expansion_attacks_have_no_effect() {
        let mut doctype = "svg [<!ENTITY e0 '0123456789'>".to_owned();
        for level in 1..10 {
            let references = format!("&e{};", level - 1).repeat(10);
            let _ = write!(doctype, "<!ENTITY e{level} '{references}'>");
        }
        assert_eq!(expand(&doctype, "&e9;"), None);
        let long = format!("svg [<!ENTITY e '{}'>]", "x".repeat(1000));
        assert_eq!(expand(&long, &"&e;".repeat(MAX_EXPANSION / 1000 + 1)), None);
        assert_eq!(expand("svg [<!ENTITY e '&e;'>]", "&e;").as_deref(), Some("&e;"));
    }
}
