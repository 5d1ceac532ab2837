//! The address that a source's front matter gives its page, by the keys of any generator.

use memchr::memmem;
use serde_json::{Map, Value};

use crate::generator::{AddressKind, GENERATORS};

/// An address as front matter gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StatedAddress {
    /// The whole path, from the site's root.
    Whole(String),
    /// The last part of it, or more; what comes before it is the generator's to say.
    Slug(String),
}

/// Bytes that front matter may have.
const LARGEST: usize = 64 << 10;

/// Files of settings, whose keys are about something else.
const SETTINGS: [&str; 4] = [".yml", ".yaml", ".toml", ".json"];

/// The address that a source gives its page, where it does so in plain words.
pub(super) fn stated_address(path: &str, text: &[u8]) -> Option<StatedAddress> {
    if SETTINGS.iter().any(|ending| path.ends_with(ending)) {
        return None;
    }
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let head = &text[..text.len().min(LARGEST)];
    let (mut whole, mut slug) = (None, None);
    let mut take = |key: &str, value: &str, is_toml: bool| {
        let mut keys = GENERATORS.iter().flat_map(|generator| generator.address_keys);
        match keys.find(|(known, _)| *known == key) {
            Some((_, AddressKind::TomlPath)) if !is_toml => {}
            Some((_, AddressKind::Slug)) => slug = plain(value),
            Some(_) => whole = plain(value).or(whole.take()),
            None => {}
        }
    };
    if let Some(json) = head.strip_prefix(b"---json").or(head.starts_with(b"{").then_some(head)) {
        let mut values = serde_json::Deserializer::from_slice(json).into_iter::<Map<String, Value>>();
        for (key, value) in values.next()?.ok()? {
            take(&key, value.as_str().unwrap_or_default(), false);
        }
    } else {
        let (fence, sign) = match head.get(..3)? {
            b"---" => (&b"\n---"[..], ':'),
            b"+++" => (&b"\n+++"[..], '='),
            _ => return None,
        };
        let lines = std::str::from_utf8(&head[3..3 + memmem::find(&head[3..], fence)?]).ok()?;
        for (key, value) in lines.lines().filter_map(|line| line.split_once(sign)) {
            take(key.trim_end(), value, sign == '=');
        }
    }
    whole.map(StatedAddress::Whole).or(slug.map(StatedAddress::Slug))
}

/// A path that is written as it is: neither worked out, as `/{{ title }}/` and `/:title/` are, nor of another site.
fn plain(value: &str) -> Option<String> {
    let value = value.trim();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let path = match quote {
        Some(quote) => value[1..].split_once(quote)?.0,
        None => value.split(" #").next().unwrap_or_default().trim_end(),
    };
    let is_worked_out = path.contains(['{', '}', '<', ':', '*', '|', '%', '\\', '?', '#']);
    let is_none = path.is_empty() || matches!(path, "false" | "true" | "null" | "~");
    (!is_worked_out && !is_none && !path.split('/').any(|name| name == ".." || name == "."))
        .then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{StatedAddress, stated_address};

    #[test]
    fn addresses_are_taken_where_they_are_plain() {
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
}
