//! JSON, YAML, TOML and `_redirects` files: data, settings and front matter.

mod data_values;
mod front_matter;
mod json;
mod toml;
mod yaml;

use sitegate_address::SitePath;

use self::data_values::DataKind;
use crate::reference::{Manner, SourceScan};
use crate::values::without_mark;

pub(crate) use self::front_matter::{fenced, front_matter};
pub(crate) use self::json::{json, json_file};
pub(crate) use self::toml::toml;
pub(crate) use self::yaml::yaml;

/// Finds the references of a file of YAML.
pub(crate) fn yaml_file<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    let name = SitePath::new(path).name();
    if matches!(name, "_toc.yml" | "_toc.yaml") {
        yaml::yaml_of_kind(text, without_mark(text), DataKind::Contents, scan);
    } else {
        yaml(text, without_mark(text), scan);
    }
}

/// Finds the destinations of a `_redirects` file of Netlify, Cloudflare and others. Placeholders and splats are left as
/// they are.
pub(crate) fn redirects_file<'t>(text: &'t str, scan: &mut SourceScan<'t>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches('\u{feff}').trim_start();
        let at = start + line.len() - content.len();
        if content.starts_with('#') {
            scan.inert.push(at..at + content.trim_end().len());
        } else if let Some(destination) = destination(content) {
            let from = at + destination.as_ptr() as usize - content.as_ptr() as usize;
            scan.add(text, from..from + destination.len(), Manner::Value);
        }
        start += line.len();
    }
}

/// Returns the destination of a rule: the second field, or a later one after parameters such as `id=:id`.
fn destination(rule: &str) -> Option<&str> {
    let mut fields = rule.split_whitespace().skip(1);
    let is_url = |field: &str| field.starts_with('/') || field.contains("://");
    fields.find(|field| is_url(field) || !field.contains('=')).filter(|field| is_url(field))
}

#[cfg(test)]
mod tests {
    use crate::reference::SourceOptions;
    use crate::scan::scan;

    #[test]
    fn finds_the_destination_of_each_rule() {
        let text = "\u{feff}# /a /b\n/a  /b 301\r\n\t/c https://e.org/d#x 302!\n  # /e /f\n/g id=:id /h/:id 301 Language=en\n\
                    /i/* /j/:splat\n/k\n/l 404\n/m/é /n/é # /o";
        let found = scan("site/_redirects", text, SourceOptions::default());
        let targets: Vec<_> = found.references.iter().map(|found| &text[found.range.clone()]).collect();
        assert_eq!(targets, ["/b", "https://e.org/d#x", "/h/:id", "/j/:splat", "/n/é"]);
        let inert: Vec<_> = found.inert.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(inert, ["# /a /b", "# /e /f"]);
    }
}
