//! JSON, YAML and TOML: data, settings and front matter.

use sitegate_address::SitePath;

mod data_values;
mod front_matter;
mod indented;
mod json;
mod toml;
mod yaml;

pub(crate) use self::front_matter::{fenced, front_matter};
pub(crate) use self::json::{json, json_file};
pub(crate) use self::toml::toml;
pub(crate) use self::yaml::yaml;

use self::data_values::DataKind;
use crate::reference::SourceScan;
use crate::values::without_mark;

/// Finds the references of a file of YAML.
pub(crate) fn yaml_file<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    let name = SitePath::new(path).name();
    if matches!(name, "_toc.yml" | "_toc.yaml") {
        yaml::yaml_of_kind(text, without_mark(text), DataKind::Contents, scan);
    } else {
        yaml(text, without_mark(text), scan);
    }
}
