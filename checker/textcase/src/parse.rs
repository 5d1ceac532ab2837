//! Parses text files of cases.

use std::ffi::OsStr;
use std::path::{Component, Path};

use crate::case::{Error, Section, SectionKind, TextCase};

/// Ends the title of a section whose content does not end with a newline.
const NO_FINAL_NEWLINE: &str = " (no final newline)";

/// Ends the title of a named pipe.
const FIFO: &str = " (FIFO)";

/// Returns the cases of a text file.
pub(crate) fn cases(file: &Path, text: &str) -> Result<Vec<TextCase>, Error> {
    let group = file.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let mut cases: Vec<TextCase> = Vec::new();
    let (mut offset, mut is_after_blank) = (0, true);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let (start, number) = (offset, index + 1);
        offset += line.len();
        let fail = |problem: String| Err(Error::Format { file: file.to_owned(), line: number, problem });
        let Some(content) = line.strip_suffix('\n') else {
            return fail("has no newline at its end: add one".to_owned());
        };
        if let Some(name) = between(content, "== ") {
            if !is_after_blank {
                return fail("follows its predecessor at once: add an empty line above".to_owned());
            }
            if cases.iter().any(|case| case.name == name) {
                return fail(format!("is the second case with the name `{name}`: rename one"));
            }
            // The empty line above a case belongs to neither.
            if let Some(section) = cases.last_mut().and_then(|case| case.sections.last_mut()) {
                section.content.pop();
                section.range.end -= 1;
            }
            let (file, group, name) = (file.to_owned(), group.to_owned(), name.to_owned());
            cases.push(TextCase { file, line: number, group, name, sections: Vec::new() });
        } else if let Some(title) = between(content, "-- ") {
            let Some(case) = cases.last_mut() else {
                return fail("is a section of no case: add a line `== NAME ==` above".to_owned());
            };
            match kind(title.strip_suffix(NO_FINAL_NEWLINE).unwrap_or(title)) {
                Ok(kind) => {
                    let range = start..offset;
                    case.sections.push(Section { line: number, kind, content: String::new(), range });
                }
                Err(problem) => return fail(problem),
            }
        } else if let Some(section) = cases.last_mut().and_then(|case| case.sections.last_mut()) {
            section.content.push_str(line);
            section.range.end = offset;
        }
        is_after_blank = content.is_empty();
    }
    for section in cases.iter_mut().flat_map(|case| &mut case.sections) {
        finish(section, text).map_err(|problem| Error::Format {
            file: file.to_owned(),
            line: section.line,
            problem,
        })?;
    }
    Ok(cases)
}

/// Returns what is between `mark` and the same mark, reversed, at the end of a line.
fn between<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let inner = line.strip_prefix(mark)?.strip_suffix(mark.trim_end())?.strip_suffix(' ')?;
    Some(inner).filter(|inner| !inner.is_empty())
}

/// Returns the line with the title of a section.
pub(crate) fn title(kind: &SectionKind, content: &str) -> String {
    let title = match kind {
        SectionKind::File(path) => path.clone(),
        SectionKind::SymbolicLink { path, target } => format!("{path} -> {target}"),
        SectionKind::Fifo(path) => format!("{path}{FIFO}"),
        SectionKind::Command { command, exit_code: 0 } => format!("$ {command}"),
        SectionKind::Command { command, exit_code } => format!("$ {command} (exit code {exit_code})"),
        SectionKind::Expected(subject) => format!("expected {subject}"),
    };
    let is_cut = !content.is_empty() && !content.ends_with('\n');
    format!("-- {title}{} --\n", if is_cut { NO_FINAL_NEWLINE } else { "" })
}

/// Returns the meaning of a title.
fn kind(title: &str) -> Result<SectionKind, String> {
    if let Some(command) = title.strip_prefix("$ ") {
        let Some((command, code)) =
            command.strip_suffix(')').and_then(|left| left.rsplit_once(" (exit code "))
        else {
            return Ok(SectionKind::Command { command: command.to_owned(), exit_code: 0 });
        };
        let exit_code = code.parse().map_err(|_| format!("`{code}` is no exit code: write a number"))?;
        return Ok(SectionKind::Command { command: command.to_owned(), exit_code });
    }
    if let Some(subject) = title.strip_prefix("expected ") {
        return Ok(SectionKind::Expected(subject.to_owned()));
    }
    let (path, kind) = if let Some((path, target)) = title.split_once(" -> ") {
        (path, SectionKind::SymbolicLink { path: path.to_owned(), target: target.to_owned() })
    } else if let Some(path) = title.strip_suffix(FIFO) {
        (path, SectionKind::Fifo(path.to_owned()))
    } else {
        (title, SectionKind::File(title.to_owned()))
    };
    if Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
        Ok(kind)
    } else {
        Err(format!("`{path}` is not below the folder of the case: remove `..` and the first `/`"))
    }
}

/// Removes the final newline if the title says so, and refuses content of links and named pipes.
fn finish(section: &mut Section, text: &str) -> Result<(), String> {
    let title = text[section.range.clone()].lines().next().unwrap_or_default();
    if between(title, "-- ").is_some_and(|title| title.ends_with(NO_FINAL_NEWLINE)) {
        section.content.pop();
        if section.content.is_empty() {
            return Err(format!("is empty, so there is no newline: remove `{}`", NO_FINAL_NEWLINE.trim()));
        }
    }
    let is_special = matches!(section.kind, SectionKind::SymbolicLink { .. } | SectionKind::Fifo(_));
    if is_special && !section.content.is_empty() {
        return Err("has no content: remove the lines below".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn parsed(text: &str) -> Result<Vec<TextCase>, String> {
        cases(Path::new("group.txt"), text).map_err(|error| error.to_string())
    }

    fn contents(case: &TextCase) -> Vec<(&str, &str)> {
        case.files().collect()
    }

    #[test]
    fn final_newlines_and_empty_lines_are_unambiguous() {
        let text = "An introduction.\n\n== one ==\nWhy.\n\n-- a --\nx\n-- b (no final newline) --\nx\n-- empty --\n\
                    -- line --\n\n-- last --\nx\n\n\n== two ==\n-- c --\n== none ==x\n--  --\n";
        let found = parsed(text).unwrap();
        assert_eq!(found[0].full_name(), "group/one");
        let one = [("a", "x\n"), ("b", "x"), ("empty", ""), ("line", "\n"), ("last", "x\n\n")];
        assert_eq!(contents(&found[0]), one);
        assert_eq!(contents(&found[1]), [("c", "== none ==x\n--  --\n")]);
        assert_eq!((found[0].line, found[1].line), (3, 17));
    }

    #[test]
    fn titles_are_read_as_they_are_written() {
        let kinds = [
            SectionKind::File("site/a (1) b.html".to_owned()),
            SectionKind::SymbolicLink { path: "a".to_owned(), target: "../b -> c".to_owned() },
            SectionKind::Fifo("site/pipe".to_owned()),
            SectionKind::Command { command: "sitegate check 'a (b)'".to_owned(), exit_code: 0 },
            SectionKind::Command { command: "sitegate".to_owned(), exit_code: 2 },
            SectionKind::Expected("site/index.html".to_owned()),
        ];
        for kind in kinds {
            let text = format!("== one ==\n{}", title(&kind, ""));
            assert_eq!(parsed(&text).unwrap()[0].sections[0].kind, kind, "{text}");
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_lines() {
        for (text, expected) in [
            ("== a ==\n-- b --\nx\n== c ==\n", "group.txt:4: follows its predecessor at once"),
            ("== a ==\n\n== a ==\n", "group.txt:3: is the second case with the name `a`"),
            ("-- b --\n", "group.txt:1: is a section of no case"),
            ("== a ==\n-- b --\nx", "group.txt:3: has no newline at its end"),
            ("== a ==\n-- ../b --\n", "group.txt:2: `../b` is not below the folder of the case"),
            ("== a ==\n-- /b -> c --\n", "group.txt:2: `/b` is not below the folder of the case"),
            ("== a ==\n-- b (no final newline) --\n", "group.txt:2: is empty, so there is no newline"),
            ("== a ==\n-- b (no final newline) --\n\n", "group.txt:2: is empty, so there is no newline"),
            ("== a ==\n-- b (FIFO) --\nx\n", "group.txt:2: has no content"),
            ("== a ==\n-- $ b (exit code x) --\n", "group.txt:2: `x` is no exit code"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
