//! `robots.txt`: its `Sitemap` lines (RFC 9309 allows them; sitemaps.org defines them).

use super::kinds;
use super::page::Page;

/// Takes the sitemaps out of [`Page::source`].
pub fn parse_robots(page: &mut Page) {
    let source = std::mem::take(&mut page.source);
    let mut start = 0;
    for line in source.split(|&b| b == b'\n') {
        if let Some(colon) = memchr::memchr(b':', line)
            && line[..colon].trim_ascii().eq_ignore_ascii_case(b"sitemap")
        {
            let rest = &line[colon + 1..];
            let end = memchr::memchr(b'#', rest).unwrap_or(rest.len());
            let url = rest[..end].trim_ascii();
            let at = start + colon + 1 + (rest[..end].len() - rest[..end].trim_ascii_start().len());
            let value = page.facts.keep(&String::from_utf8_lossy(url));
            page.facts.push(&kinds::ROBOTS_SITEMAP, Some(value), at as u32..(at + url.len()) as u32);
        }
        start += line.len() + 1;
    }
    page.source = source;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Source;

    #[test]
    fn only_sitemap_lines_count() {
        let text = "User-agent: *\nDisallow: /x\nsitemap:  /sitemap.xml # all\r\n#Sitemap: /no.xml\n";
        let mut page = Page::new(Source::decoded(text.into()));
        parse_robots(&mut page);
        let [reference] = page.facts.references.as_slice() else { panic!("{:?}", page.facts.references) };
        assert_eq!(reference.value.map(|value| page.str(value)), Some("/sitemap.xml"));
        assert_eq!(&text[reference.span.start as usize..reference.span.end as usize], "/sitemap.xml");
    }
}
