//! Reads and writes files of page facts: a line with the version, then JSON, compressed by gzip.
//!
//! Each text is stored once, in the order of its first use. A text id is stored as the distance to the next new text, so
//! that pages with the same navigation have the same bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use sitegate_base::artifact::{ArtifactRefusal, FACTS};
use thiserror::Error;

use crate::facts::{SiteFacts, TOO_MANY, too_many};
use crate::texts::{TextId, TextTable, Texts};

/// Maximum size of a file in bytes.
pub const MAX_SIZE: u64 = 256 << 20;

/// Maximum size after decompression.
const MAX_EXPANDED: u64 = 512 << 20;

/// Maximum number of texts. Short ones take more memory than bytes of the file.
const MAX_TEXTS: usize = 8_000_000;

/// The level of gzip.
const LEVEL: Compression = Compression::new(6);

/// Why a file of facts cannot be used.
#[derive(Debug, Error)]
pub enum FactsError {
    /// It is another kind of file, or has another version.
    #[error(transparent)]
    Refused(#[from] ArtifactRefusal),
    /// It is too large.
    #[error("it has more page facts than this program reads: over {} MiB after decompression", MAX_EXPANDED >> 20)]
    TooLarge,
    /// A list has too many entries.
    #[error("it has more page facts than this program reads: {0}")]
    TooMany(String),
    /// It is damaged.
    #[error("it is damaged: {0}; write it again with `sitegate check --facts FILE`")]
    Damaged(String),
}

#[derive(Serialize)]
struct WrittenFacts<'t> {
    texts: Vec<&'t str>,
    site: &'t SiteFacts,
}

/// The content of a file. Its texts are interned as they are read, because a list of them could be much larger than the
/// file.
struct Stored {
    ids: Vec<TextId>,
    site: SiteFacts,
}

/// Reads a file with the table for its texts.
struct StoredSeed<'t>(&'t Texts);

impl<'de> DeserializeSeed<'de> for StoredSeed<'_> {
    type Value = Stored;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Stored, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for StoredSeed<'_> {
    type Value = Stored;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("page facts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stored, A::Error> {
        let (mut ids, mut site) = (None, None);
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            match &*key {
                "texts" => ids = Some(map.next_value_seed(TextsSeed(self.0))?),
                "site" => site = Some(map.next_value()?),
                _ => return Err(serde::de::Error::unknown_field(&key, &["texts", "site"])),
            }
        }
        let missing = serde::de::Error::missing_field;
        Ok(Stored { ids: ids.ok_or_else(|| missing("texts"))?, site: site.ok_or_else(|| missing("site"))? })
    }
}

/// Interns a list of texts.
struct TextsSeed<'t>(&'t Texts);

impl<'de> DeserializeSeed<'de> for TextsSeed<'_> {
    type Value = Vec<TextId>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<TextId>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TextsSeed<'_> {
    type Value = Vec<TextId>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("texts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<TextId>, A::Error> {
        let mut ids = Vec::new();
        while let Some(Text(text)) = seq.next_element()? {
            if ids.len() == MAX_TEXTS {
                return Err(serde::de::Error::custom(too_many("texts", MAX_TEXTS)));
            }
            ids.push(self.0.intern(&text));
        }
        Ok(ids)
    }
}

/// A text that is borrowed if it has no escapes.
#[derive(Deserialize)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

/// Writes the facts of a site. The same facts give the same bytes.
///
/// # Errors
/// If the output cannot be written.
pub fn write(mut site: SiteFacts, texts: &TextTable, out: impl Write) -> io::Result<()> {
    let mut numbers: HashMap<TextId, u32> = HashMap::new();
    let mut order = Vec::new();
    site.replace_texts(|id| {
        let next = order.len() as u32;
        let number = *numbers.entry(id).or_insert_with(|| {
            order.push(id);
            next
        });
        Ok::<_, io::Error>(TextId(next - number))
    })?;
    drop(numbers);
    let mut buffered = io::BufWriter::new(GzEncoder::new(out, LEVEL));
    writeln!(buffered, "{} {}", FACTS.first_line(), env!("CARGO_PKG_VERSION"))?;
    let written = WrittenFacts { texts: order.iter().map(|id| texts.get(*id)).collect(), site: &site };
    serde_json::to_writer(&mut buffered, &written)?;
    let written_encoder = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    written_encoder.finish()?.flush()
}

/// Reads the facts of a site.
///
/// # Errors
/// If the file has another version or is damaged, or has too many facts.
pub fn read(bytes: &[u8], texts: &Texts) -> Result<SiteFacts, FactsError> {
    let damaged = |error: &dyn std::fmt::Display| FactsError::Damaged(error.to_string());
    let mut decoder = io::BufReader::new(MultiGzDecoder::new(bytes));
    let first = read_line(&mut decoder).map_err(|_| ArtifactRefusal::Other(&FACTS))?;
    FACTS.check_line(&first)?;
    let mut expanded = Vec::new();
    decoder.take(MAX_EXPANDED + 1).read_to_end(&mut expanded).map_err(|error| damaged(&error))?;
    if expanded.len() as u64 > MAX_EXPANDED {
        return Err(FactsError::TooLarge);
    }
    let mut reader = serde_json::Deserializer::from_slice(&expanded);
    let stored = StoredSeed(texts).deserialize(&mut reader).and_then(|stored| reader.end().map(|()| stored));
    let Stored { ids, mut site } = stored.map_err(|error| {
        let message = error.to_string();
        // serde has no errors of other types.
        match message.split_once(TOO_MANY) {
            Some((_, rest)) => {
                FactsError::TooMany(format!("more than {}", rest.split(" at line").next().unwrap_or(rest)))
            }
            None => damaged(&message),
        }
    })?;
    drop(expanded);
    let mut next = 0_usize;
    site.replace_texts(|TextId(distance)| {
        let index = next.checked_sub(distance as usize);
        next += usize::from(distance == 0);
        index.and_then(|index| ids.get(index)).copied().ok_or_else(|| damaged(&"a text is missing"))
    })?;
    let files = site.assets.len() as u32;
    let loads =
        site.pages.iter().map(|page| &page.assets).chain(site.assets.iter().map(|asset| &asset.loads));
    if loads.flatten().any(|asset| *asset >= files) {
        return Err(damaged(&"a file is missing"));
    }
    if !site.pages.is_sorted_by(|a, b| a.address < b.address) {
        return Err(damaged(&"its pages are not sorted"));
    }
    Ok(site)
}

/// Reads the first line, which is short.
fn read_line(source: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    source.take(200).read_until(b'\n', &mut line)?;
    line.pop_if(|last| *last == b'\n');
    Ok(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::read::MultiGzDecoder;
    use flate2::write::GzEncoder;

    use super::{FACTS, MAX_TEXTS, read, write};
    use crate::output::{self, ReviewFormat};
    use crate::{
        AssetFacts, AssetKind, ContentHash, OtherFile, PageFacts, Review, ReviewOptions, ScriptFacts,
        SiteFacts, Texts,
    };

    fn facts(texts: &Texts) -> SiteFacts {
        let id = |text: &str| texts.intern(text);
        let page = |number: usize| PageFacts {
            address: format!("/{number}/").into(),
            crawlers: u8::MAX,
            head: vec![
                (id("title"), id(&format!("Page {number}"))),
                (id("canonical"), id("https://x.example/")),
            ],
            blocks: (0..5).map(|block| (id("main > p"), id(&format!("Text {block} of {number}")))).collect(),
            hosts: vec![id("cdn.example")],
            scripts: vec![ScriptFacts { hash: number as u64, start: id("start()"), is_blocked: false }],
            attributes: vec![(id("main > p"), id("a[href]"), id(&format!("/{number}")))],
            anchors: vec![(id("top"), 1)],
            outline: vec![id(""), id("<ul\n<li"), id("/li\n2\n<a href"), id("#0"), id("9"), id("/ul")],
            times: vec![(id("Text 1 of 2"), id("Text"))],
            content: ContentHash::new(&[number as u8; 32]),
            assets: vec![0, 1],
            budget: Some(1000),
            ..PageFacts::default()
        };
        let asset = |name, kind, loads| AssetFacts { name: id(name), kind, size: 5000, hash: 1, loads };
        SiteFacts {
            pages: (0..4).map(page).collect(),
            files: vec![OtherFile {
                path: "a.pdf".into(),
                address: Some("/a.pdf".into()),
                content: Some(ContentHash::new(&[7; 32])),
            }],
            assets: vec![
                asset("a.css", AssetKind::Style, vec![1]),
                asset("b.css", AssetKind::Style, vec![0]),
            ],
            redirects: vec![("/old/*".into(), "/0/:splat".into(), 301, false)],
            sitemap: vec![("/0/".into(), Some(id("2026-11-24")))],
            headers: vec![("/*".into(), "x-frame-options".into(), "DENY".into())],
            links: vec!["https://x.example/#top".into()],
            unread: Vec::new(),
            is_partial: false,
            adds_html: false,
        }
    }

    #[test]
    fn lists_are_bounded() {
        let empty = r#""pages":[],"files":[],"assets":[],"redirects":[],"headers":[],"sitemap":[],"links":[],"unread":[],"is_partial":false"#;
        for (name, entry, most) in [
            ("texts", "\"\"", MAX_TEXTS),
            ("unread", "\"\"", 10_000),
            ("redirects", "[\"\",\"\",301,true]", 1_000_000),
            ("headers", "[\"\",\"\",\"\"]", 1_000_000),
            ("links", "\"\"", 1_000_000),
            ("files", "{\"p\":\"\",\"h\":null}", 3_000_000),
        ] {
            for (count, is_read) in [(most, true), (most + 1, false)] {
                if is_read && name == "texts" {
                    continue; // it takes seconds
                }
                let list = vec![entry; count].join(",");
                let text = if name == "texts" {
                    format!("{{\"texts\":[{list}],\"site\":{{{empty}}}}}")
                } else {
                    let site = empty.replace(&format!("\"{name}\":[]"), &format!("\"{name}\":[{list}]"));
                    format!("{{\"texts\":[],\"site\":{{{site}}}}}")
                };
                let mut file = GzEncoder::new(Vec::new(), Compression::fast());
                write!(file, "{} 0.1.0\n{text}", FACTS.first_line()).unwrap();
                let found = read(&file.finish().unwrap(), &Texts::default());
                assert_eq!(found.is_ok(), is_read, "{count} {name}: {:?}", found.err());
                if let Err(error) = found {
                    let most = sitegate_base::plural::thousands(most);
                    assert!(error.to_string().contains(&format!(": more than {most} ")), "{error}");
                }
            }
        }
    }

    #[test]
    fn hostile_facts_are_refused_or_compared() {
        let valid = {
            let texts = Texts::default();
            let own = facts(&texts);
            let mut file = Vec::new();
            write(own, &texts.freeze(), &mut file).unwrap();
            let mut text = Vec::new();
            MultiGzDecoder::new(&*file).read_to_end(&mut text).unwrap();
            text
        };
        let numbers: Vec<usize> = (20..valid.len()).filter(|at| valid[*at].is_ascii_digit()).collect();
        let mut accepted = 0;
        for round in 0..5000 {
            let mut hostile = valid.clone();
            // Numbers are distances of texts and indexes of files; other bytes are structure and text.
            let at = match round % 2 {
                0 => numbers[round * 31 % numbers.len()],
                _ => round * 7919 % hostile.len(),
            };
            match round % 5 {
                0 => drop(hostile.splice(at..=at, *b"4294967295")),
                1 => hostile[at] = b'9',
                2 => hostile[at] ^= 1,
                3 => drop(hostile.remove(at)),
                _ => hostile.truncate(at),
            }
            let texts = Texts::default();
            let own = facts(&texts);
            let mut file = GzEncoder::new(Vec::new(), Compression::fast());
            file.write_all(&hostile).unwrap();
            let Ok(found) = read(&file.finish().unwrap(), &texts) else { continue };
            accepted += 1;
            let table = texts.freeze();
            for (base, new) in [(&own, &found), (&found, &own)] {
                let review = Review::compare(base, new, Some(new), &table, &ReviewOptions::default());
                for format in [ReviewFormat::Human, ReviewFormat::Markdown, ReviewFormat::Html] {
                    output::write(&review, format, &mut Vec::new()).unwrap();
                }
            }
        }
        assert!(accepted > 500, "{accepted}");
    }
}
