//! Removes from a page what differs between builds of one commit, before its bytes are hashed: nonces, hashes in names
//! of files, dates in `time` elements.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};
use sitegate_address::SitePath;
use sitegate_address::hashed_name::{is_hashed, stable_name};
use sitegate_review::{ContentHash, OtherFile};

use super::assets::digest;

/// The names of a build's files with content hashes, and what replaces each. Only these are noise in a page: the contents
/// of the files are compared, and those of other sites are not.
#[derive(Debug, Default)]
pub(super) struct VolatileNames(HashMap<Box<str>, Box<str>, RandomState>);

impl VolatileNames {
    pub fn of_files(files: &[OtherFile]) -> VolatileNames {
        let hashed: Vec<&OtherFile> = files.iter().filter(|file| is_hashed(&file.path)).collect();
        let mut versions: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for file in &hashed {
            *versions.entry(stable_name(&file.path)).or_default() += 1;
        }
        let mut names: HashMap<Box<str>, Box<str>, RandomState> = HashMap::default();
        let mut ambiguous = Vec::new();
        for file in hashed {
            let name = SitePath::new(&*file.path).name();
            let stable = stable_name(name);
            // Of several files with one name, a page could load another one now, so the content is part of the name.
            let shown: Box<str> = match (versions[&stable_name(&file.path)], file.content) {
                (1, _) => stable.into(),
                (_, Some(content)) => format!("{stable} ({content})").into(),
                (_, None) => name.into(),
            };
            // Next has `[slug]-3f2e1d0c9b8a7f6e.js`.
            let encoded = name.contains('[').then(|| name.replace('[', "%5B").replace(']', "%5D"));
            for written in [Some(name.to_owned()), encoded].into_iter().flatten() {
                let known = names.insert(written.clone().into(), shown.clone());
                if known.is_some_and(|known| known != shown) {
                    ambiguous.push(written);
                }
            }
        }
        for name in ambiguous {
            names.remove(&*name);
        }
        VolatileNames(names)
    }

    /// Returns a text without the hashes in these names, and calls `found` with each.
    pub fn mask<'t>(&self, text: &'t str, mut found: impl FnMut(&str)) -> Cow<'t, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"._-~@%[]".contains(&byte) || byte >= 0x80;
        let bytes = text.as_bytes();
        let (mut masked, mut from, mut at) = (String::new(), 0, 0);
        while at < bytes.len() {
            let length = bytes[at..].iter().take_while(|byte| is_part(**byte)).count();
            // Both ends are next to ASCII characters.
            let name = &text[at..at + length];
            if name.contains('.')
                && let Some(shown) = self.0.get(name)
            {
                found(name);
                masked.push_str(&text[from..at]);
                masked.push_str(shown);
                from = at + length;
            }
            at += length.max(1);
        }
        if from == 0 {
            return Cow::Borrowed(text);
        }
        masked.push_str(&text[from..]);
        Cow::Owned(masked)
    }
}

/// The noise of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct PageNoise {
    /// Ranges of the page, in order, and what is hashed instead.
    replaced: Vec<(Range<usize>, String)>,
    /// Hash of the nonces, and of the names of files with hashes.
    pub digests: [u64; 2],
}

impl PageNoise {
    pub fn add_nonce(&mut self, range: Range<usize>, nonce: &str) {
        self.digests[0] = digest(format!("{} {nonce}", self.digests[0]).as_bytes());
        self.replaced.push((range, String::new()));
    }

    pub fn add_name(&mut self, name: &str) {
        self.digests[1] = digest(format!("{} {name}", self.digests[1]).as_bytes());
    }

    pub fn replace(&mut self, range: Range<usize>, by: String) {
        self.replaced.push((range, by));
    }

    /// Returns the hash of a page without its noise.
    pub fn content(&self, text: &str) -> ContentHash {
        let bytes = text.as_bytes();
        let mut hash = Sha256::new();
        let mut from = 0;
        for (range, by) in &self.replaced {
            // Marks the place, so that no other text has these bytes.
            hash.update(&bytes[from..range.start.max(from)]);
            hash.update([0xff]);
            hash.update(by);
            hash.update([0xff]);
            from = range.end.max(from);
        }
        hash.update(&bytes[from..]);
        ContentHash::new(&hash.finalize())
    }
}

#[cfg(test)]
mod tests {
    use sitegate_review::{ContentHash, OtherFile};

    use super::VolatileNames;

    #[test]
    fn only_known_names_are_masked() {
        let file = |path: &str, content: u8| OtherFile {
            path: path.into(),
            address: None,
            content: Some(ContentHash::new(&[content; 32])),
        };
        let names = VolatileNames::of_files(&[
            file("a/app-B3x_9kQz.js", 1),
            file("größe.4f2a9c01.png", 2),
            file("x/chunk.4f2a9c01.js", 3),
            file("x/chunk.073c9b0a.js", 4),
        ]);
        let mask = |text| {
            let mut found = 0;
            let masked = names.mask(text, |_| found += 1).into_owned();
            (masked, found)
        };
        assert_eq!(mask("/a/app-B3x_9kQz.js?v=1"), ("/a/app-#.js?v=1".to_owned(), 1));
        assert_eq!(mask("/a/app-B3x_9kQy.js"), ("/a/app-B3x_9kQy.js".to_owned(), 0));
        // Pages that load another one of several files differ.
        let [one, other] = ["/x/chunk.4f2a9c01.js", "/x/chunk.073c9b0a.js"].map(|url| mask(url).0);
        assert!(one.starts_with("/x/chunk.#.js (") && other.starts_with("/x/chunk.#.js (") && one != other);
        assert_eq!(mask("x größe.4f2a9c01.png 2x, ü"), ("x größe.#.png 2x, ü".to_owned(), 1));
    }
}
