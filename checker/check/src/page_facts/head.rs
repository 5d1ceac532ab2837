//! Reads the metadata of a page: `meta`, `link` and JSON-LD.

use sitegate_address::robots::ANY_AGENT;
use sitegate_html::refresh::{self, Refresh};
use sitegate_review::{TextId, Texts};

use crate::parse::forbids_indexing;

/// Crawlers of search engines whose rules are compared, in lower case: one that no rule names, Google's and Bing's.
const CRAWLERS: [&str; 3] = [ANY_AGENT, "googlebot", "bingbot"];

/// Returns a set of crawlers: a bit for each.
pub(super) fn allowed_crawlers(allows: impl Fn(&str) -> bool) -> u8 {
    CRAWLERS.iter().enumerate().fold(0, |set, (index, crawler)| set | u8::from(allows(crawler)) << index)
}

/// Maximum number of bytes of a value.
const MAX_VALUE: usize = 20_000;

/// The metadata of a page while it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct PageHead {
    pub values: Vec<(TextId, TextId)>,
    /// The crawlers that `noindex` excludes.
    pub hidden_from: u8,
    /// The destination of a refresh.
    pub refresh: Option<String>,
    /// The values of `http-equiv="content-security-policy"`.
    pub policies: Vec<String>,
}

impl PageHead {
    /// Adds a value with white space folded.
    pub fn add(&mut self, name: &str, value: &str, texts: &Texts) {
        let value: Vec<&str> = value.split_ascii_whitespace().collect();
        let mut value = value.join(" ");
        if value.len() > MAX_VALUE {
            value.truncate(value.floor_char_boundary(MAX_VALUE));
        }
        self.values.push((texts.intern(name), texts.intern(&value)));
    }

    /// Adds a `meta` element by its name, property or `http-equiv`, and its content. Returns whether it is stored.
    pub fn meta(&mut self, [name, property, equiv]: [Option<&str>; 3], content: &str, texts: &Texts) -> bool {
        let lower = |text: Option<&str>| text.unwrap_or_default().trim().to_ascii_lowercase();
        let (name, property, equiv) = (lower(name), lower(property), lower(equiv));
        match equiv.as_str() {
            "refresh" => {
                if let Refresh::Url(url) = refresh::parse(content) {
                    self.refresh = Some(content[url].to_owned());
                }
            }
            "content-security-policy" => self.policies.push(content.to_owned()),
            _ => {}
        }
        if forbids_indexing(&content.to_ascii_lowercase()) {
            self.hidden_from |= if name == "robots" { u8::MAX } else { allowed_crawlers(|own| own == name) };
        }
        let is_card = |own: &str| ["og:", "twitter:", "article:"].iter().any(|start| own.starts_with(start));
        let mut is_stored = false;
        for key in [name, property] {
            let is_known = matches!(key.as_str(), "description" | "robots" | "googlebot" | "bingbot");
            if is_known || is_card(&key) {
                self.add(&key, content, texts);
                is_stored = true;
            }
        }
        is_stored
    }

    /// Adds a `link` element. Returns whether it is stored.
    pub fn link(&mut self, rel: &str, hreflang: Option<&str>, href: &str, texts: &Texts) -> bool {
        let is = |word: &str| rel.split_ascii_whitespace().any(|own| own.eq_ignore_ascii_case(word));
        if is("canonical") {
            self.add("canonical", href, texts);
        } else if is("alternate")
            && let Some(language) = hreflang
        {
            self.add(&format!("hreflang {}", language.to_ascii_lowercase()), href, texts);
        } else {
            return false;
        }
        true
    }

    /// Adds structured data. Its white space and escapes do not matter.
    pub fn structured_data(&mut self, text: &str, texts: &Texts) {
        match serde_json::from_str::<serde_json::Value>(text) {
            // Spaces make words, so that a difference is shown by words.
            Ok(value) => {
                let pretty = serde_json::to_string_pretty(&value).unwrap_or_default();
                self.add("structured data", &pretty, texts);
            }
            Err(_) => self.add("structured data", text, texts),
        }
    }
}
