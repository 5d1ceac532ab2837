//! Prints changes of files as a patch that `git apply` accepts.

use std::ops::Range;

/// Number of unchanged lines around a change in a patch.
const CONTEXT: usize = 3;

/// Returns the change of a file as a part of a patch that `git apply` accepts. Paths have `/`. The file is renamed if
/// they differ.
pub fn unified_diff(from: &str, to: &str, old: &[u8], new: &[u8]) -> String {
    let (a, b) = (quoted(&format!("a/{from}")), quoted(&format!("b/{to}")));
    let mut patch = format!("diff --git {a} {b}\n");
    if from != to {
        patch.extend(["rename from ", &quoted(from), "\nrename to ", &quoted(to), "\n"]);
    }
    if old == new {
        return patch;
    }
    patch.extend(["--- ", &a, "\n+++ ", &b, "\n"]);
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let changes = changed_lines(&old, &new);
    for group in hunks(&changes, old.len()) {
        let (first, last) = (&changes[group.start], &changes[group.end - 1]);
        let start = first.0.start.saturating_sub(CONTEXT);
        let end = (last.0.end + CONTEXT).min(old.len());
        let new_start = first.1.start - (first.0.start - start);
        let new_end = last.1.end + (end - last.0.end);
        patch.extend(["@@ -", &range(&(start..end)), " +", &range(&(new_start..new_end)), " @@\n"]);
        let mut at = start;
        for (removed, added) in &changes[group] {
            old[at..removed.start].iter().for_each(|line| push_line(&mut patch, ' ', line));
            old[removed.clone()].iter().for_each(|line| push_line(&mut patch, '-', line));
            new[added.clone()].iter().for_each(|line| push_line(&mut patch, '+', line));
            at = removed.end;
        }
        old[at..end].iter().for_each(|line| push_line(&mut patch, ' ', line));
    }
    patch
}

/// Returns a range of lines as patches write it.
fn range(lines: &Range<usize>) -> String {
    let first = if lines.is_empty() { lines.start } else { lines.start + 1 };
    format!("{first},{}", lines.len())
}

/// Returns the ranges of lines that differ. Without insertions, each is as short as possible; with insertions, they are
/// those of the shortest common start and end.
fn changed_lines(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut changes: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    if old.len() == new.len() {
        for line in (0..old.len()).filter(|line| old[*line] != new[*line]) {
            match changes.last_mut() {
                Some((removed, added)) if removed.end == line => {
                    (removed.end, added.end) = (line + 1, line + 1);
                }
                _ => changes.push((line..line + 1, line..line + 1)),
            }
        }
        return changes;
    }
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let behind = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    vec![(same..old.len() - behind, same..new.len() - behind)]
}

/// Groups changes whose contexts touch. Returns the ranges of their indexes.
fn hunks(changes: &[(Range<usize>, Range<usize>)], lines: usize) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for (number, (removed, _)) in changes.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if removed.start.saturating_sub(CONTEXT) <= end => group.end = number + 1,
            _ => groups.push(number..number + 1),
        }
        end = (removed.end + CONTEXT).min(lines);
    }
    groups
}

fn push_line(patch: &mut String, mark: char, line: &str) {
    patch.push(mark);
    patch.push_str(line);
    if !line.ends_with('\n') {
        patch.push_str("\n\\ No newline at end of file\n");
    }
}

/// Quotes a path as Git does if it has special characters.
fn quoted(path: &str) -> String {
    let is_special = |c: char| c == '"' || c == '\\' || c.is_ascii_control();
    if !path.contains(is_special) {
        return path.to_owned();
    }
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        c if c.is_ascii_control() => format!("\\{:03o}", c as u32),
        c => c.to_string(),
    };
    format!("\"{}\"", path.chars().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn diff_shows_renames_insertions_and_a_missing_newline() {
        assert_eq!(
            unified_diff("a.md", "b/a.md", b"1\n2\n3\n4\n5\nx", b"1\n2\n3\n4\n5\ny"),
            "diff --git a/a.md b/b/a.md\nrename from a.md\nrename to b/a.md\n--- a/a.md\n+++ b/b/a.md\n\
             @@ -3,4 +3,4 @@\n 3\n 4\n 5\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n"
        );
        assert_eq!(
            unified_diff("a\t", "b", b"", b""),
            "diff --git \"a/a\\t\" b/b\nrename from \"a\\t\"\nrename to b\n"
        );
        assert_eq!(
            unified_diff("r", "r", b"a\nb\n", b"a\nn\nb\n"),
            "diff --git a/r b/r\n--- a/r\n+++ b/r\n@@ -1,2 +1,3 @@\n a\n+n\n b\n"
        );
        assert_eq!(
            unified_diff("r", "r", b"", b"n\n"),
            "diff --git a/r b/r\n--- a/r\n+++ b/r\n@@ -0,0 +1,1 @@\n+n\n"
        );
    }
}
