//! The syntax of XML: the entities that a document defines in its doctype (XML 1.0, 4.2), and its first error.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

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

/// The error of a template that writes a line before the declaration: no parser of XML reads such a file (XML 1.0,
/// production 22).
pub(super) const LATE_DECLARATION: &str =
    "the XML declaration `<?xml … ?>` must be the very first characters of the file";

/// The reason why a document is not well-formed, and the offset.
type SyntaxFault = (String, u32);

/// Checks that a document is well-formed (XML 1.0, 2.1), and returns its entities. An empty document is another problem.
///
/// # Errors
/// If it is not.
pub(crate) fn check_well_formed(source: &str, entities: &mut Entities) -> Result<(), SyntaxFault> {
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    let skipped = source.len() - text.len();
    let mut reader = Reader::from_str(text);
    let (mut depth, mut has_root) = (0_usize, false);
    loop {
        let before = skipped + reader.buffer_position() as usize;
        let fault = |reason: &str| Err((reason.to_owned(), before as u32));
        let event = reader.read_event();
        let is_empty = matches!(event, Ok(Event::Empty(_)));
        let error_at = skipped + reader.error_position() as usize;
        match event.map_err(|error| (error.to_string(), error_at as u32))? {
            Event::Start(tag) | Event::Empty(tag) => {
                if depth == 0 && has_root {
                    return fault("it has a second root element");
                }
                (depth, has_root) = (depth + usize::from(!is_empty), true);
                check_attributes(&tag, entities, before)?;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(outside) if depth == 0 && !outside.trim().is_empty() => {
                return fault("text is outside of its root element");
            }
            Event::GeneralRef(name) => check_reference(&name, entities, before)?,
            Event::DocType(doctype) => *entities = Entities::read(&doctype),
            Event::Decl(_) if before > skipped => return fault(LATE_DECLARATION),
            Event::Eof if depth > 0 => return fault("the document ends before its elements do"),
            Event::Eof if !has_root && !text.trim().is_empty() => return fault("it has no root element"),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Checks the attributes of a tag: their syntax, and the references in their values.
pub(super) fn check_attributes(
    tag: &BytesStart<'_>,
    entities: &Entities,
    at: usize,
) -> Result<(), SyntaxFault> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| (error.to_string(), at as u32))?;
        for (start, _) in attribute.value.match_indices('&') {
            let Some(name) = reference_name(&attribute.value[start + 1..]) else {
                return Err(("an attribute has `&`; write `&amp;`".to_owned(), at as u32));
            };
            check_reference(name, entities, at)?;
        }
        if attribute.value.contains('<') {
            return Err(("an attribute has `<`; write `&lt;`".to_owned(), at as u32));
        }
    }
    Ok(())
}

/// Checks that a reference is defined. The DTDs of XHTML 1 define those of HTML, but `<!DOCTYPE html>` does not.
pub(super) fn check_reference(name: &str, entities: &Entities, at: usize) -> Result<(), SyntaxFault> {
    if is_of_xml(name) || entities.is_partial || entities.get(name).is_some() {
        return Ok(());
    }
    let decoded = htmlize::unescape(format!("&{name};")).into_owned();
    let help = match (decoded.chars().next(), decoded.chars().count()) {
        (Some(character), 1) => format!("; write `&#{};`", u32::from(character)),
        _ => String::new(),
    };
    Err((format!("XML has no entity `&{name};`{help}"), at as u32))
}

#[cfg(test)]
mod tests {
    use super::{Entities, MAX_EXPANSION, check_well_formed};
    use std::borrow::Cow;
    use std::fmt::Write as _;

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

    #[test]
    fn finds_the_first_error() {
        let error = |text: &str| check_well_formed(text, &mut Entities::default()).err();
        let fine = [
            "",
            "<?xml version='1.0'?><!DOCTYPE html><html><br/><p a='b&amp;&#160;'>&lt;<![CDATA[<&]]></p></html>\n<!-- x -->",
            "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><html>&nbsp;</html>",
            "<!DOCTYPE html [<!ENTITY e 'x'>]><html a='&e;'>&e;</html>",
            "\u{feff}<html/>",
        ];
        for text in fine {
            assert_eq!(error(text), None, "{text}");
        }
        let faulty = [
            ("<html><br></html>", 10),
            ("<html><p>", 9),
            ("<html/><html/>", 7),
            ("<html/>x", 7),
            ("<html a=b/>", 0),
            ("<html a/>", 0),
            ("<html a='1' a='2'/>", 0),
            ("<html a='b&c'/>", 0),
            ("<html>a & b</html>", 8),
            ("<!DOCTYPE html><html>&nbsp;</html>", 21),
            ("\n<?xml version='1.0'?><html/>", 1),
            ("x", 0),
        ];
        for (text, expected) in faulty {
            assert_eq!(error(text).map(|(_, at)| at), Some(expected), "{text}");
        }
        let unknown = error("<html>&nbsp;</html>").map(|(reason, _)| reason);
        assert_eq!(unknown.as_deref(), Some("XML has no entity `&nbsp;`; write `&#160;`"));
    }
}
