//! Reads lists of addresses that other tools write.

mod addresses;
mod documentation;
mod lists;
mod sitemap;

use crate::inventory::compression::decompress;
use crate::inventory::format;
use crate::inventory::model::{Inventory, InventoryError, MAX_ENTRIES};
use addresses::Addresses;
pub use addresses::ReadSettings;
pub use sitemap::{SitemapPart, read_sitemap};

/// Default of [`ReadSettings::min_requests`]. Programs that look for weak sites request many addresses once.
const MIN_REQUESTS: u32 = 10;

impl Inventory {
    /// Reads an inventory, or a list of addresses of another tool. Recognizes the format and the compression.
    ///
    /// # Errors
    /// If it has no known format, contains no address of the site, or is too large.
    pub fn read(bytes: &[u8], settings: &ReadSettings) -> Result<Inventory, InventoryError> {
        let bytes = decompress(bytes)?;
        if bytes.starts_with(documentation::OBJECTS_INV_START) {
            return Addresses::read(settings, |addresses| documentation::read_objects_inv(&bytes, addresses));
        }
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count() + 1;
            InventoryError::at(line, "it is not UTF-8 text")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if memchr::memchr_iter(b'\n', text.as_bytes()).count() > MAX_ENTRIES {
            return Err(InventoryError::new(format!("it has more than {MAX_ENTRIES} lines")));
        }
        if format::is_own(text.as_bytes()) {
            return format::parse(text);
        }
        let start = text.trim_start();
        Addresses::read(settings, |addresses| {
            if start.starts_with('<') {
                sitemap::read(text, addresses)
            } else if lists::is_access_log(start) {
                let min = if settings.min_requests == 0 { MIN_REQUESTS } else { settings.min_requests };
                lists::read_access_log(start, min, addresses)
            } else if start.starts_with('{') {
                documentation::read_json(text, addresses)
            } else if documentation::is_xref_map(start) {
                documentation::read_xref_map(text, addresses)
            } else {
                lists::read(text, addresses)
            }
        })
    }
}

/// Returns the URLs of the sitemaps that a sitemap index lists. Returns none for any other file.
///
/// # Errors
/// If it is too large, or malformed XML.
pub fn read_sitemap_index(bytes: &[u8]) -> Result<Vec<String>, InventoryError> {
    let bytes = decompress(bytes)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.contains("<sitemapindex") => sitemap::read_index(text),
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Write;

    use flate2::write::{GzEncoder, ZlibEncoder};

    use super::*;
    use crate::inventory::model::AnchorSet;

    fn read(text: impl AsRef<[u8]>) -> Result<String, String> {
        read_for(None, text)
    }

    fn read_for(root: Option<&str>, text: impl AsRef<[u8]>) -> Result<String, String> {
        let settings = ReadSettings { root: root.map(|root| root.parse().unwrap()), min_requests: 2 };
        let inventory = Inventory::read(text.as_ref(), &settings).map_err(|error| error.to_string())?;
        assert_eq!(inventory.anchors, AnchorSet::Listed);
        let origin = inventory.origin.clone().unwrap_or_default();
        let written = inventory.to_text();
        Ok(format!("{origin} {}", written.split_once("\n\n").unwrap().1.trim_end().replace('\n', " ")))
    }

    #[test]
    fn reads_lists() {
        assert_eq!(read("# known\n/a\n\n/b/#x y\n/b/#z\n/c?q=1\n").unwrap(), " /a /b/ #x%20y #z /c");
        assert_eq!(read("https://e.com/a\nhttps://f.com/b\n").unwrap(), "https://e.com /a");
        assert_eq!(
            read_for(Some("https://f.com/"), "https://e.com/a\n/%C3%A9\n").unwrap(),
            "https://f.com /é"
        );
        assert_eq!(
            read_for(Some("https://f.com/"), "https://e.com/a").unwrap_err(),
            "its URL is not on https://f.com"
        );
        assert_eq!(read("").unwrap_err(), "it contains no address");
        assert_eq!(read("/a\nhello\n").unwrap_err(), "line 2: neither a URL nor a path");
    }

    #[test]
    fn reads_csv() {
        let console = "Top pages,Clicks\n\"https://e.com/a,b\",7\nhttps://e.com/c#d,1\n";
        assert_eq!(read(console).unwrap(), "https://e.com /a,b /c #d");
        let other = "\u{feff}status;url\n404;https://e.com/x\n";
        assert_eq!(read(other).unwrap(), "https://e.com /x");
        assert_eq!(read("a,b\n\"unclosed\n").unwrap_err(), "line 2: neither a URL nor a path");
    }

    #[test]
    fn reads_sitemaps() {
        let map = "<?xml version=\"1.0\"?><urlset><url><loc> https://e.com/a?x&amp;y </loc></url>\
                   <url><loc><![CDATA[https://e.com/b]]></loc></url></urlset>";
        assert_eq!(read(map).unwrap(), "https://e.com /a /b");
        let index = "<sitemapindex><sitemap><loc>https://e.com/s.xml</loc></sitemap></sitemapindex>";
        assert!(read(index).unwrap_err().contains("sitemap index"));
        assert_eq!(read_sitemap_index(index.as_bytes()).unwrap(), ["https://e.com/s.xml"]);
        assert!(read_sitemap_index(map.as_bytes()).unwrap().is_empty());
        assert!(read("<html><body>").unwrap_err().contains("not a sitemap"));
    }

    #[test]
    fn reads_access_logs() {
        let line = |path: &str, status: u16| {
            format!(
                "10.0.0.1 - - [01/Nov/2026:10:00:00 +0000] \"GET {path} HTTP/1.1\" {status} 162 \"-\" \"x \\\"y\"\n"
            )
        };
        let log = [line("/a?x", 404), line("/a", 404), line("/b", 404), line("/c", 200), line("/c", 200)];
        assert_eq!(read(log.concat()).unwrap(), " /a");
    }

    #[test]
    fn reads_access_logs_of_caddy() {
        let line = |host: &str, uri: &str, status: u16| {
            format!(
                r#"{{"level":"info","ts":1.5,"logger":"http.log.access","msg":"handled request","request":{{"remote_ip":"10.0.0.1","proto":"HTTP/2.0","method":"GET","host":"{host}","uri":"{uri}","headers":{{"User-Agent":["x"]}}}},"duration":0.1,"size":0,"status":{status}}}"#
            ) + "\n"
        };
        let log = [
            "{\"level\":\"info\",\"msg\":\"using config\"}\n".to_owned(),
            line("e.com", "/a?x", 404),
            line("e.com:443", "/a", 404),
            line("f.com", "/f", 404),
            line("f.com", "/f", 404),
            line("e.com", "/b", 404),
            line("e.com", "/c\\u0026d", 404),
            line("E.com", "/c\\u0026d?e", 404),
            line("e.com", "/ok", 200),
            line("e.com", "/ok", 200),
        ];
        assert_eq!(read(log.concat()).unwrap(), " /a /c&d /f");
        assert_eq!(read_for(Some("https://e.com/"), log.concat()).unwrap(), "https://e.com /a /c&d");
    }

    #[test]
    fn reads_inventories_of_other_tools() {
        let mut sphinx = b"# Sphinx inventory version 2\n# Project: p\n# Version: 1\n# zlib\n".to_vec();
        let mut zlib = ZlibEncoder::new(&mut sphinx, flate2::Compression::default());
        zlib.write_all(b"os.path py:module 0 lib/os.html#module-$ -\na b std:label -1 x.html# Title\n")
            .unwrap();
        zlib.finish().unwrap();
        let at = Some("https://e.com/docs/");
        assert_eq!(
            read_for(at, &sphinx).unwrap(),
            "https://e.com /docs/lib/os.html #module-os.path /docs/x.html"
        );
        assert!(read("# Sphinx inventory version 1\n").unwrap_err().contains("version 1"));

        let docfx = "### YamlMime:XRefMap\nsorted: true\nbaseUrl: https://e.com/api/\nreferences:\n- uid: A\n  \
                     name: A\n  href: A.html#A_x\n- uid: 'B'\n  href: 'B''s.html'\n";
        assert_eq!(read(docfx).unwrap(), "https://e.com /api/A.html #A_x /api/B's.html");
        let json = r#"{"baseUrl":"https://e.com/api/","references":[{"uid":"A","href":"A.html#x"}]}"#;
        assert_eq!(read(json).unwrap(), "https://e.com /api/A.html #x");
        let antora = r#"{"version":3,"url":"https://e.com/docs","components":{"c":{"versions":{"1":{"url":"/c/1/none.html","pages":{
            "ROOT":[{"path":"index.adoc","url":"/c/1/"}]}}}}}}"#;
        assert_eq!(read(antora).unwrap(), "https://e.com /docs/c/1/");
        assert!(read("{\"files\": []}").unwrap_err().contains("neither"));
    }

    #[test]
    fn leaves_out_indices_that_sphinx_does_not_write() {
        let read_entries = |entries: &str| {
            let mut sphinx = b"# Sphinx inventory version 2\n# Project: p\n# Version: 1\n# zlib\n".to_vec();
            let mut zlib = ZlibEncoder::new(&mut sphinx, flate2::Compression::default());
            zlib.write_all(entries.as_bytes()).unwrap();
            zlib.finish().unwrap();
            read_for(Some("https://e.com/"), &sphinx).unwrap()
        };
        let labels = "genindex std:label -1 genindex.html Index\nmodindex std:label -1 py-modindex.html M\n\
                      py-modindex std:label -1 py-modindex.html M\nhttp-routes std:label -1 http-routes/ R\n";
        let read = |objects: &str| read_entries(&format!("{labels}{objects}"));
        assert_eq!(read("f py:function 1 a.html#$ -\n"), "https://e.com /a.html #f /genindex.html");
        assert_eq!(
            read("m py:module 0 a.html#$ -\n/x http:get 1 r/#$ -\n"),
            "https://e.com /a.html #m /genindex.html /http-routes/ /py-modindex.html /r/ #/x"
        );
        // A document may have the name of an index.
        assert_eq!(
            read("py-modindex std:doc -1 py-modindex.html M\na-b std:label -1 a-b.html#$ -\n"),
            "https://e.com /a-b.html #a-b /genindex.html /py-modindex.html"
        );
    }

    #[test]
    fn refuses_zstd() {
        let zstd_of_a_slash = b"\x28\xb5\x2f\xfd\x04\x58\x09\0\0/\xea\xda\xed\x89";
        assert!(read(zstd_of_a_slash).unwrap_err().contains("`zstd -dc FILE.zst | gzip > FILE.gz`"));
        assert!(read_sitemap_index(zstd_of_a_slash).is_err());
    }

    #[test]
    fn refuses_bombs() {
        let mut bomb = GzEncoder::new(Vec::new(), flate2::Compression::best());
        let block = vec![b'/'; 1 << 20];
        for _ in 0..80 {
            bomb.write_all(&block).unwrap();
        }
        assert_eq!(read(bomb.finish().unwrap()).unwrap_err(), "it is larger than 64 MiB");
        assert!(read([0x1f, 0x8b, 9, 9]).unwrap_err().starts_with("cannot decompress it"));
        assert!(read("/a\n".repeat(MAX_ENTRIES + 1)).unwrap_err().contains("more than 3000000 lines"));
    }
}
