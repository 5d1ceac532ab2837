//! Reads the URL of a page, its `id` and its aliases from the front matter of its source, by the keys of all generators.

use memchr::memmem;
use serde_json::{Map, Value};

use crate::generator::{AddressKind, GENERATORS};

/// A URL in front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StatedAddress {
    /// The whole path from the site's root.
    Whole(String),
    /// The last part of the path, or more; the generator determines the rest.
    Slug(String),
    /// The last part of the path of a page that is no index: `id` of Docusaurus.
    Id(String),
}

/// Maximum size of front matter in bytes.
const MAX_BYTES: usize = 64 << 10;

/// Extensions of settings files, whose keys have other meanings.
const SETTINGS_EXTENSIONS: [&str; 4] = [".yml", ".yaml", ".toml", ".json"];

/// Returns the URL in the front matter of a source, if it is literal.
pub(crate) fn stated_address(path: &str, text: &[u8]) -> Option<StatedAddress> {
    if SETTINGS_EXTENSIONS.iter().any(|extension| path.ends_with(extension)) {
        return None;
    }
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let head = &text[..text.len().min(MAX_BYTES)];
    let (mut whole, mut slug) = (None, None);
    let mut set = |key: &str, value: &str, is_toml: bool| {
        let mut keys = GENERATORS.iter().flat_map(|generator| generator.address_keys);
        match keys.find(|(known, _)| *known == key) {
            Some((_, AddressKind::TomlPath)) if !is_toml => {}
            Some((_, AddressKind::Slug)) => slug = literal_path(value),
            Some(_) => whole = literal_path(value).or(whole.take()),
            None => {}
        }
    };
    if let Some(json) = head.strip_prefix(b"---json").or(head.starts_with(b"{").then_some(head)) {
        let mut values = serde_json::Deserializer::from_slice(json).into_iter::<Map<String, Value>>();
        for (key, value) in values.next()?.ok()? {
            set(&key, value.as_str().unwrap_or_default(), false);
        }
    } else {
        let (lines, separator) = matter(head)?;
        for (key, value) in lines.lines().filter_map(|line| line.split_once(separator)) {
            set(key.trim_end(), value, separator == '=');
        }
    }
    whole.map(StatedAddress::Whole).or(slug.map(StatedAddress::Slug))
}

/// Returns front matter in YAML or TOML, and the character between its keys and values.
fn matter(text: &[u8]) -> Option<(&str, char)> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let (fence, separator) = match text.get(..3)? {
        b"---" => (&b"\n---"[..], ':'),
        b"+++" => (&b"\n+++"[..], '='),
        _ => return None,
    };
    let end = memmem::find(&text[3..], fence)?;
    Some((std::str::from_utf8(&text[3..3 + end]).ok()?, separator))
}

/// Returns the `id` in front matter, which names a document of Docusaurus instead of its file.
pub(crate) fn stated_id(text: &str) -> Option<String> {
    let (lines, _) = matter(text.as_bytes()).filter(|(_, separator)| *separator == ':')?;
    let value = lines.lines().find_map(|line| line.strip_prefix("id:"))?;
    literal_path(value).filter(|id| !id.contains('/'))
}

/// Returns the aliases of Hugo in front matter that do not begin with a slash.
pub(crate) fn relative_aliases(text: &str) -> Vec<&str> {
    let Some((head, separator)) = matter(text.as_bytes()) else { return Vec::new() };
    let start = |line| {
        let (key, value) = str::split_once(line, separator)?;
        (key.trim_end() == "aliases").then(|| value.as_ptr() as usize - head.as_ptr() as usize)
    };
    let Some(value) = head.lines().find_map(start).map(|start| &head[start..]) else { return Vec::new() };
    let items: Vec<&str> = if let Some(list) = value.trim_start().strip_prefix('[') {
        list.split(']').next().unwrap_or_default().split(',').collect()
    } else {
        let rest = value.lines().skip(1).map(str::trim_start);
        rest.map_while(|item| item.strip_prefix("- ")).collect()
    };
    let unquoted = items.into_iter().map(|item| item.trim().trim_matches(['"', '\'']));
    unquoted.filter(|alias| !alias.is_empty() && !alias.starts_with('/')).collect()
}

/// Returns a literal path. Paths that are computed, such as `/{{ title }}/` and `/:title/`, or on another site do not
/// count.
fn literal_path(value: &str) -> Option<String> {
    let value = value.trim();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let path = match quote {
        Some(quote) => value[1..].split_once(quote)?.0,
        None => value.split(" #").next().unwrap_or_default().trim_end(),
    };
    let is_computed = path.contains(['{', '}', '<', ':', '*', '|', '%', '\\', '?', '#']);
    let is_none = path.is_empty() || matches!(path, "false" | "true" | "null" | "~");
    (!is_computed && !is_none && !path.split('/').any(|name| name == ".." || name == "."))
        .then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{StatedAddress, relative_aliases, stated_address};

    #[test]
    fn reads_literal_urls() {
        let slug = |text: &str| Some(StatedAddress::Slug(text.to_owned()));
        let whole = |text: &str| Some(StatedAddress::Whole(text.to_owned()));
        let stated = |text: &str| stated_address("a.md", text.as_bytes());
        assert_eq!(stated("---\ntitle: x\nslug: /start # here\n---\n"), slug("/start"));
        assert_eq!(stated("---\r\nslug: 'a/b'\r\n---\r\n"), slug("a/b"));
        assert_eq!(stated("\u{feff}---\npermalink: /about/\nslug: b\n---\n"), whole("/about/"));
        assert_eq!(stated("+++\npath = \"about\"\n+++\n"), whole("about"));
        assert_eq!(stated("{\n  \"url\": \"/about/\"\n}\n\n# About\n"), whole("/about/"));
        assert_eq!(stated("---json\n{ \"permalink\": false, \"slug\": \"b\" }\n---\n"), slug("b"));
        assert_eq!(stated("---\npermalink: /{{ title | slugify }}/\nslug: b\n---\n"), slug("b"));
        for none in [
            "{{< include \"a\" >}}\nslug: a\n",
            "{ \"meta\": { \"slug\": \"a\" } }\n",
            "---\nslug: /start\n",
            "---\n---\nslug: a\n",
            "---\nhero:\n  slug: a\n---\n",
            "---\npermalink: false\n---\n",
            "---\npermalink: /:year/:title/\n---\n",
            "---\nurl: https://example.org/\n---\n",
            "---\nslug: ../../x\n---\n",
            "slug: a",
            "",
        ] {
            assert_eq!(stated(none), None, "{none}");
        }
        assert_eq!(stated_address("_data/menu.yml", b"---\nurl: /about/\n---\n"), None);
    }

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
