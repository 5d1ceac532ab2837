//! Finds the first error of a page of XML: browsers show it instead of the page.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::parse::entities::{Entities, is_of_xml, reference_name};

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
        let error_at = skipped + reader.error_position() as usize;
        match event.map_err(|error| (error.to_string(), error_at as u32))? {
            Event::Start(tag) => {
                if depth == 0 && has_root {
                    return fault("it has a second root element");
                }
                (depth, has_root) = (depth + 1, true);
                check_attributes(&tag, entities, before)?;
            }
            Event::Empty(tag) => {
                if depth == 0 && has_root {
                    return fault("it has a second root element");
                }
                has_root = true;
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
    use super::{Entities, check_well_formed};

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
