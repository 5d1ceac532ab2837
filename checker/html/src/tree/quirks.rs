//! Whether a doctype selects quirks mode (HTML standard, 13.2.6.4.1), in which a table does not end a paragraph.

/// Public identifiers that select quirks mode if the given one starts with one of them.
const PREFIXES: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

/// Public identifiers that select it alone.
const WHOLE: [&str; 3] =
    ["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

/// Public identifiers that select it without a system identifier.
const WITHOUT_SYSTEM: [&str; 2] =
    ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

/// The system identifier that selects it.
const SYSTEM: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Whether a doctype, from `<` to `>`, selects quirks mode.
pub fn selects_quirks(doctype: &[u8]) -> bool {
    let text = String::from_utf8_lossy(doctype).to_ascii_lowercase();
    let Some(complete) = text.strip_suffix('>') else { return true };
    let rest = complete.trim_start_matches("<!doctype").trim_ascii();
    let (name, rest) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
    if name != "html" {
        return true;
    }
    let rest = rest.trim_ascii_start();
    if rest.is_empty() {
        return false;
    }
    let (public, system) = if let Some(rest) = rest.strip_prefix("public") {
        let Some((public, rest)) = quoted(rest) else { return true };
        if rest.trim_ascii().is_empty() {
            (Some(public), None)
        } else {
            let Some((system, _)) = quoted(rest) else { return true };
            (Some(public), Some(system))
        }
    } else if let Some(rest) = rest.strip_prefix("system") {
        let Some((system, _)) = quoted(rest) else { return true };
        (None, Some(system))
    } else {
        return true;
    };
    let is_quirks = |identifier: &str| {
        WHOLE.contains(&identifier)
            || PREFIXES.iter().any(|prefix| identifier.starts_with(prefix))
            || system.is_none() && WITHOUT_SYSTEM.iter().any(|prefix| identifier.starts_with(prefix))
    };
    system == Some(SYSTEM) || public.is_some_and(is_quirks)
}

/// Splits a quoted identifier off.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::selects_quirks;

    #[test]
    fn knows_the_doctypes_of_quirks_mode() {
        let examples = [
            ("<!DOCTYPE html>", false),
            ("<!doctype HTML SYSTEM 'about:legacy-compat'>", false),
            ("<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">", false),
            ("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", false),
            ("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"x\">", false),
            ("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">", true),
            ("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">", true),
            ("<!DOCTYPE html PUBLIC 'html'>", true),
            ("<!DOCTYPE html SYSTEM \"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd\">", true),
            ("<!DOCTYPE svg>", true),
            ("<!DOCTYPE>", true),
            ("<!DOCTYPE html", true),
            ("<!DOCTYPE html x>", true),
        ];
        for (doctype, expected) in examples {
            assert_eq!(selects_quirks(doctype.as_bytes()), expected, "{doctype}");
        }
    }
}
