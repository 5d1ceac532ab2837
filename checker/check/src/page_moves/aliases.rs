//! Finds the aliases of Hugo that move along with their page: those relative to its folder.

use sitegate_address::SitePath;
use sitegate_address::relative::{join, join_segments};

use crate::source_map::page_form;
use crate::walk::Tree;
use sitegate_address::INDEX;

/// Returns the redirect pages of a moved page that move along, with their new paths. Both pages are paths in the export.
pub(super) fn moved_aliases(tree: &Tree, text: &str, (old, new): (&str, &str)) -> Vec<(String, String)> {
    let folder = |page: &str| SitePath::new(page_form(page)).folder().to_owned();
    let (before, after) = (folder(old), folder(new));
    if before == after {
        return Vec::new();
    }
    let aliases = relative_aliases(text).into_iter();
    let moved = aliases.filter_map(|alias| {
        let names = [alias.clone(), join_segments(&[&alias, INDEX]), format!("{alias}.html")];
        let pages = names.map(|name| (join(&before, &name).path, join(&after, &name).path));
        pages.into_iter().find(|(page, moved)| page != moved && tree.find(page.as_bytes()).is_some())
    });
    moved.collect()
}

/// Returns the aliases in front matter that do not begin with a slash.
fn relative_aliases(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(fence) = ["---", "+++"].into_iter().find(|fence| text.starts_with(fence)) else {
        return Vec::new();
    };
    let head = &text[fence.len()..];
    let Some(end) = head.find(&format!("\n{fence}")) else { return Vec::new() };
    let head = &head[..end];
    let separator = if fence == "---" { ':' } else { '=' };
    let is_key = |line: &&str| line.split_once(separator).is_some_and(|(key, _)| key.trim_end() == "aliases");
    let Some(line) = head.lines().find(is_key) else { return Vec::new() };
    let value =
        &head[line.as_ptr() as usize - head.as_ptr() as usize + line.find(separator).unwrap_or(0) + 1..];
    let items: Vec<&str> = if let Some(list) = value.trim_start().strip_prefix('[') {
        list.split(']').next().unwrap_or_default().split(',').collect()
    } else {
        let rest = value.lines().skip(1).map(str::trim_start);
        rest.map_while(|item| item.strip_prefix("- ")).collect()
    };
    let unquoted = items.into_iter().map(|item| item.trim().trim_matches(['"', '\'']));
    unquoted.filter(|alias| !alias.is_empty() && !alias.starts_with('/')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::relative_aliases;

    #[test]
    fn reads_relative_aliases() {
        for text in [
            "---\ntitle: x\naliases: [\"older\", '/old/', a/b/]\n---\n",
            "---\naliases:\n  - older\n  - /old/\n  - \"a/b/\"\ntitle: x\n---\n",
            "+++\naliases = [\n  \"older\",\n  \"a/b/\",\n]\n+++\n",
        ] {
            assert_eq!(relative_aliases(text), ["older", "a/b/"], "{text}");
        }
        for text in
            ["", "aliases: [a]", "---\naliases:\n---\n", "---\nx: [aliases]\n---\n", "---\naliases: [a]"]
        {
            assert_eq!(relative_aliases(text), [""; 0], "{text}");
        }
    }
}
