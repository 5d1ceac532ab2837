//! Reads `rewrites` of `VitePress`: the paths that it uses instead of those of sources.

use std::collections::BTreeMap;

/// A segment of a path in a rewrite.
#[derive(Debug, PartialEq, Eq)]
enum PathPart {
    Text(String),
    /// `:name`, or `:name.md`: any text, and the end after it.
    Any {
        name: String,
        end: String,
    },
    /// `:name*`: any number of segments.
    Rest {
        name: String,
    },
}

/// Rewrites of paths, in their order.
#[derive(Debug, Default)]
pub(super) struct PathRewrites {
    /// The folder of the sources with a trailing `/`, the pattern, and the new path.
    entries: Vec<(String, Vec<PathPart>, Vec<PathPart>)>,
}

impl PathRewrites {
    /// Reads the configurations among texts. What is computed, and patterns in parentheses, are not read.
    pub fn read(texts: &BTreeMap<String, String>) -> PathRewrites {
        let mut rewrites = PathRewrites::default();
        for (path, text) in texts {
            let Some((root, _)) = path.split_once(".vitepress/config.") else { continue };
            let folder = literal(text, "srcDir").unwrap_or_default();
            let folder = folder.trim_start_matches("./").trim_matches(['.', '/']);
            let root = if folder.is_empty() { root.to_owned() } else { format!("{root}{folder}/") };
            let Some(object) = after_key(text, "rewrites").and_then(|rest| rest.strip_prefix('{')) else {
                continue;
            };
            let object = object.split_once('}').map_or("", |(object, _)| object);
            let strings: Vec<&str> = object.split(['\'', '"', '`']).skip(1).step_by(2).collect();
            for pair in strings.chunks_exact(2).filter(|pair| !pair.concat().contains(['(', '{', '\\'])) {
                rewrites.entries.push((root.clone(), segments(pair[0]), segments(pair[1])));
            }
        }
        rewrites
    }

    /// Returns the folder of the sources, and the path below it that is used instead of that of a source.
    pub fn rewritten(&self, path: &str) -> Option<(&str, String)> {
        self.entries.iter().find_map(|(root, from, to)| {
            let names: Vec<&str> = path.strip_prefix(root.as_str())?.split('/').collect();
            let mut values = BTreeMap::new();
            matches(from, &names, &mut values).then_some(())?;
            let written: Option<Vec<String>> = to.iter().map(|segment| written(segment, &values)).collect();
            let written: Vec<String> = written?.into_iter().filter(|name| !name.is_empty()).collect();
            Some((root.as_str(), written.join("/")))
        })
    }
}

/// Returns the text after a key and its colon.
fn after_key<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut found = text.match_indices(key).filter_map(|(at, _)| {
        let is_start = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        text[at + key.len()..]
            .trim_start_matches(['\'', '"'])
            .trim_start()
            .strip_prefix(':')
            .filter(|_| is_start)
    });
    found.next().map(str::trim_start)
}

fn literal(text: &str, key: &str) -> Option<String> {
    let value = after_key(text, key)?;
    let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    value[1..].split_once(quote).map(|(literal, _)| literal.to_owned())
}

fn segments(path: &str) -> Vec<PathPart> {
    let segment = |text: &str| {
        let Some(rest) = text.strip_prefix(':') else { return PathPart::Text(text.to_owned()) };
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, end) = (rest[..length].to_owned(), rest[length..].to_owned());
        if end.starts_with('*') { PathPart::Rest { name } } else { PathPart::Any { name, end } }
    };
    path.trim_start_matches('/').split('/').map(segment).collect()
}

fn matches(pattern: &[PathPart], names: &[&str], values: &mut BTreeMap<String, String>) -> bool {
    match (pattern, names) {
        ([], []) => true,
        ([PathPart::Text(text), pattern @ ..], [name, names @ ..]) => {
            text == name && matches(pattern, names, values)
        }
        ([PathPart::Any { name: key, end }, pattern @ ..], [name, names @ ..]) => {
            let Some(value) = name.strip_suffix(end.as_str()).filter(|value| !value.is_empty()) else {
                return false;
            };
            values.insert(key.clone(), value.to_owned());
            matches(pattern, names, values)
        }
        ([PathPart::Rest { name: key }, pattern @ ..], _) => (0..=names.len()).rev().any(|count| {
            values.insert(key.clone(), names[..count].join("/"));
            matches(pattern, &names[count..], values)
        }),
        _ => false,
    }
}

fn written(segment: &PathPart, values: &BTreeMap<String, String>) -> Option<String> {
    match segment {
        PathPart::Text(text) => Some(text.clone()),
        PathPart::Any { name, end } => Some(format!("{}{end}", values.get(name)?)),
        PathPart::Rest { name } => values.get(name).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::PathRewrites;

    #[test]
    fn rewrites_paths_as_vitepress() {
        let text = "export default { srcDir: './src', rewrites: {\n 'guide/:p.md': 'g/:p.md', \"a.md\": \"b/c.md\",\n \
                    'packages/:pkg/src/:slug*': ':pkg/:slug*', 'x/(.*)': 'y/$1' } }";
        let texts = BTreeMap::from([("docs/.vitepress/config.mts".to_owned(), text.to_owned())]);
        let rewrites = PathRewrites::read(&texts);
        for (path, expected) in [
            ("docs/src/guide/setup.md", Some("docs/src/g/setup.md")),
            ("docs/src/guide/sub/setup.md", None),
            ("docs/src/a.md", Some("docs/src/b/c.md")),
            ("docs/src/packages/p/src/x/y.md", Some("docs/src/p/x/y.md")),
            ("docs/src/x/y.md", None),
            ("docs/guide/setup.md", None),
        ] {
            let rewritten = rewrites.rewritten(path).map(|(root, below)| format!("{root}{below}"));
            assert_eq!(rewritten.as_deref(), expected, "{path}");
        }
        let computed =
            BTreeMap::from([(".vitepress/config.js".to_owned(), "{ rewrites: (id) => id }".to_owned())]);
        assert_eq!(PathRewrites::read(&computed).rewritten("a.md"), None);
    }
}
