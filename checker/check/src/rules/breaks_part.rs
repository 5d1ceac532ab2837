//! `breaks-part`: an address that another part of the site links to, and that does not exist here.

use percent_encoding::percent_decode_str;
use sitegate_address::inventory::InventoryAddress;

use super::messages::shorten;
use super::permalinks::address_location;
use super::rule::Registered;
use crate::index::Index;
use crate::parse::Format;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::parts::Part;
use crate::resolve::{Target, fragment};
use sitegate_address::percent::escape_path;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "breaks-part",
    category: Category::Policy,
    default: Severity::Error,
    summary: "another part of the site links to a page or an anchor that does not exist here",
    why: "The inventory of a part (`[[parts]]`) lists its links to other parts. A page that moves here breaks them, and \
          the check of the other repository notices it only later. Redirect the page, or fix the links there first.",
    bad: r#"sitegate.toml:
  [[parts]]
  at = "/blog/"
  inventory = "blog.txt"
blog.txt:
  sitegate-inventory 1
  anchors: linked
  /blog/release/
  >/prices.html"#,
    good: r#"sitegate.toml:
  [[parts]]
  at = "/blog/"
  inventory = "blog.txt"
blog.txt:
  sitegate-inventory 1
  anchors: linked
  /blog/release/
  >/"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for part in index.site.resolver.parts().iter() {
        let Some(inventory) = &part.inventory else { continue };
        for (page, address) in inventory.inventory.iter() {
            check_links(index, part, (page, address), found);
        }
    }
}

fn check_links(
    index: &Index<'_>,
    part: &Part,
    (page, address): (&str, &InventoryAddress),
    found: &mut Vec<RawFinding>,
) {
    let resolver = &index.site.resolver;
    let root = resolver.root();
    for link in address.links() {
        let missing = match resolver.resolve(&root, link, &mut Vec::new()) {
            Target::Missing(_) => format!("`{}` does not exist", shorten(link)),
            Target::File { file, .. } if index.site.format(file) == Format::Html => {
                let Some(wanted) = fragment(link).filter(|wanted| !wanted.is_top()) else { continue };
                let has_own = resolver.has_own_fragment(&root, link);
                if has_own || index.has_anchor(file, &wanted.decoded) || index.has_anchor(file, &wanted.raw) {
                    continue;
                }
                format!("`{}` has no such anchor", shorten(link))
            }
            _ => continue,
        };
        let message =
            format!("breaks the part `{}`: {missing}, and `{}` links to it", part.at, escape_path(page));
        let path = link.split(['#', '?']).next().unwrap_or_default();
        let location = address_location(index.site, &percent_decode_str(path).decode_utf8_lossy());
        let finding = RawFinding::new(&INFO, location, message).cause(link.to_owned());
        found.push(finding.help("redirect it, or change the link there first"));
    }
}
