//! Converts regular expressions of folders to globs, as `paths` of a contract has them.

use regex_syntax::hir::{Class, Hir, HirKind, Look};
use sitegate_address::PathPatterns;

/// Maximum number of globs of one expression: each alternative and each optional part doubles them.
const MAX_GLOBS: usize = 64;

/// Returns the globs of the files in folders that a regular expression matches. It is searched in `folder/`, as htmltest
/// does; with `has_files`, in the paths of files, as lychee does. `\d+` becomes one to four digits: a glob must not hide
/// files that the expression does not.
///
/// # Errors
/// If no glob says the same.
pub(super) fn folder_globs(pattern: &str, has_files: bool) -> Result<Vec<String>, String> {
    let fail = || format!("`{pattern}` has no equivalent glob; write globs in `[[ignore]]` with `paths`");
    let hir = regex_syntax::parse(pattern).map_err(|_| fail())?;
    let globs = expand(&hir).filter(|globs| !globs.is_empty()).ok_or_else(fail)?;
    let mut globs = repeat_digits(globs).ok_or_else(fail)?;
    let mut files = Vec::new();
    for glob in &mut globs {
        // An expression without an anchor matches anywhere in the path.
        *glob = match glob.strip_prefix(START) {
            Some(rest) => format!("/{}", rest.trim_start_matches("./")),
            None => format!("/**/*{glob}"),
        };
        if has_files && !glob.ends_with('/') {
            files.push(match glob.strip_suffix(END) {
                Some(whole) => whole.to_owned(),
                None => format!("{}*", glob.trim_end_matches('*')),
            });
        }
        *glob = match glob.strip_suffix(END) {
            // Without a folder, what is in it is left out, too (`discoverRecurse` of htmltest).
            Some(rest) => format!("{}/**", rest.trim_end_matches('/')),
            None if glob.ends_with('/') => format!("{glob}**"),
            None if glob.ends_with('*') => format!("{glob}/**"),
            None => format!("{glob}*/**"),
        };
    }
    globs.append(&mut files);
    let is_valid =
        |glob: &String| !glob.contains([START, END, MORE]) && PathPatterns::new([glob.as_str()]).is_ok();
    if !globs.iter().all(is_valid) {
        return Err(fail());
    }
    globs.sort();
    globs.dedup();
    Ok(globs)
}

/// Marks the start and the end of the text in an expanded expression: no path has control characters.
const START: char = '\u{2}';
const END: char = '\u{3}';

/// Marks that the character before it may follow once or more.
const MORE: char = '\u{4}';

/// Returns globs without [`MORE`]; `None` if there are too many, or if it follows anything but a digit. At the end of an
/// expression, any characters may follow anyway.
fn repeat_digits(mut pending: Vec<String>) -> Option<Vec<String>> {
    const DIGIT: &str = "[0-9]";
    let mut globs = Vec::new();
    while let Some(glob) = pending.pop() {
        match glob.trim_end_matches(MORE).split_once(MORE) {
            None => globs.push(glob.trim_end_matches(MORE).to_owned()),
            Some((before, after)) if before.ends_with(DIGIT) => {
                pending.extend((0..4).map(|more| format!("{before}{}{after}", DIGIT.repeat(more))));
            }
            Some(_) => return None,
        }
        if globs.len() + pending.len() > MAX_GLOBS {
            return None;
        }
    }
    Some(globs)
}

/// Expands an expression to globs; `None` if it has no equivalent.
fn expand(hir: &Hir) -> Option<Vec<String>> {
    let globs = match hir.kind() {
        HirKind::Empty => vec![String::new()],
        HirKind::Literal(literal) => vec![PathPatterns::escape(std::str::from_utf8(&literal.0).ok()?)],
        HirKind::Class(class) => vec![one_of(class)?],
        HirKind::Look(Look::Start) => vec![START.to_string()],
        HirKind::Look(Look::End) => vec![END.to_string()],
        HirKind::Look(_) => return None,
        HirKind::Capture(capture) => expand(&capture.sub)?,
        HirKind::Alternation(parts) => {
            let parts: Option<Vec<Vec<String>>> = parts.iter().map(expand).collect();
            parts?.concat()
        }
        HirKind::Concat(parts) => {
            let mut globs = vec![String::new()];
            for part in parts {
                let ends = expand(part)?;
                if globs.len() * ends.len() > MAX_GLOBS {
                    return None;
                }
                globs = globs
                    .iter()
                    .flat_map(|start| ends.iter().map(move |end| format!("{start}{end}")))
                    .collect();
            }
            globs
        }
        HirKind::Repetition(repetition) => {
            let part = expand(&repetition.sub)?;
            match (repetition.min, repetition.max, part.as_slice()) {
                (0, Some(1), _) => [vec![String::new()], part].concat(),
                (min @ 0..=4, Some(max), [one]) if min == max => vec![one.repeat(min as usize)],
                // `.*` and `[^/]*` stay within a name here: a glob cannot cross folders in the middle of a name.
                (0, None, [one]) if one == "?" => vec!["*".to_owned()],
                (1, None, [one]) if one == "?" => vec!["?*".to_owned()],
                (1, None, [one]) if one.starts_with('[') => vec![format!("{one}{MORE}")],
                _ => return None,
            }
        }
    };
    (globs.len() <= MAX_GLOBS).then_some(globs)
}

/// Returns the glob of one character of a class: `?` if only few are missing.
fn one_of(class: &Class) -> Option<String> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    // `\d` and `\w` are Unicode classes here, but bytes in Go.
    let ascii: Vec<(char, char)> = ranges
        .iter()
        .filter(|(start, _)| start.is_ascii())
        .map(|&(start, end)| (start, end.min('\u{7f}')))
        .collect();
    let count: u32 = ascii.iter().map(|&(start, end)| end as u32 - start as u32 + 1).sum();
    if count > 100 {
        return Some("?".to_owned());
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if ascii.is_empty() || !ascii.iter().all(|&(start, end)| is_plain(start) && is_plain(end)) {
        return None;
    }
    let range = |&(start, end): &(char, char)| {
        if start == end { start.to_string() } else { format!("{start}-{end}") }
    };
    Some(format!("[{}]", ascii.iter().map(range).collect::<String>()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sitegate_address::{AddedHtml, PathPatterns};

    use super::folder_globs;

    #[test]
    fn globs_match_the_folders_of_an_expression() {
        for (pattern, matched, other) in [
            ("lib", &["lib/a.html", "a/mylib/b/c.html"][..], &["a/b.html"][..]),
            (
                r"^blog/(\d+/)?page/\d+",
                &["blog/page/2/index.html", "blog/2020/page/12/index.html"],
                &["blog/page/index.html", "de/blog/page/2/x.html"],
            ),
            (
                r"^(../)?blog/20(19|21)/",
                &["blog/2019/a/index.html", "zh/blog/2021/b.html"],
                &["blog/2020/a.html", "eng/blog/2019/a.html"],
            ),
            (
                "^zh/docs/contributing/",
                &["zh/docs/contributing/index.html", "zh/docs/contributing/a/b.html"],
                &["zh/docs/a.html"],
            ),
            ("^xx", &["xx/index.html", "xxl/a/b.html"], &["a/xx/b.html"]),
            ("^docs/$", &["docs/index.html", "docs/a/index.html"], &["docs2/a.html"]),
            (r"v1\.2", &["docs/v1.2/a.html"], &["docs/v1x2/a.html"]),
            (
                "^docs/v[0-9]+/",
                &["docs/v1/a.html", "docs/v2026/a/b.html"],
                &["docs/v2-beta/a.html", "docs/v2b/a.html", "docs/v/a.html"],
            ),
            (r"^docs/v\d+", &["docs/v2-beta/a.html", "docs/v12345/a.html"], &["docs/v/a.html"]),
        ] {
            let globs = folder_globs(pattern, false).unwrap();
            let patterns = PathPatterns::new(globs.iter().map(String::as_str)).unwrap();
            for path in matched {
                assert!(
                    patterns.has_file(path.as_bytes(), AddedHtml::default()),
                    "{pattern} {globs:?} {path}"
                );
            }
            for path in other {
                assert!(
                    !patterns.has_file(path.as_bytes(), AddedHtml::default()),
                    "{pattern} {globs:?} {path}"
                );
            }
        }
    }

    #[test]
    fn expressions_of_files_match_files() {
        let globs = folder_globs("old/a.html", true).unwrap();
        let patterns = PathPatterns::new(globs.iter().map(String::as_str)).unwrap();
        assert!(
            patterns.has_file(b"old/a.html", AddedHtml::default())
                && !patterns.has_file(b"old/b.html", AddedHtml::default())
        );
    }

    #[test]
    fn other_expressions_are_named() {
        for pattern in [
            "(ab|c)+",
            "a(b)*c(d)*",
            r"(?m)^a$\b^",
            "(aa|b|c|d)(aa|b|c|d)(aa|b|c|d)(aa|b|c|d)",
            "[",
            "x{9,99}",
            "^docs/[a-z]+/old/",
            r"^docs/\w+$",
            r"\bold\b",
            r"(\d+-\d+-\d+/)?\d+-\d+",
        ] {
            assert!(folder_globs(pattern, false).is_err(), "{pattern}: {:?}", folder_globs(pattern, false));
        }
    }
}
