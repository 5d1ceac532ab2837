//! Lists the addresses of a site: its pages with their anchors, its other files, and its redirects.

use std::collections::HashMap;

use foldhash::quality::FixedState;
use sitegate_address::hashed_name::is_hashed;
use sitegate_address::inventory::{AnchorSet, AnswerKind, Inventory, InventoryAddress, InventoryError, Via};
use sitegate_address::percent::decode;

use crate::contract::InventorySettings;
use crate::index::Index;
use crate::index::inventory::InventoryFacts;
use crate::parse::anchors::hash;
use crate::parse::{AnchorKind, Format};
use crate::resolve::address_forms::{AddressForm, AddressForms};
use crate::walk::FileId;
use sitegate_host::Host;
use sitegate_host::redirects::Redirect;

/// Lists the addresses of the site.
///
/// # Errors
/// If there are too many for an inventory.
pub(super) fn list_addresses(
    index: &mut Index<'_>,
    settings: &InventorySettings,
) -> Result<Inventory, InventoryError> {
    let facts = std::mem::take(&mut index.inventory);
    let InventoryFacts { mut anchors, redirects, linked, mut part_links, forms } = facts;
    let site = index.site;
    let origin = site.settings.origin.as_ref().map(|origin| origin.origin().ascii_serialization());
    let mut inventory = Inventory::new(origin, settings.anchors);
    let usual_form = usual_form(&forms);
    for file in site.tree.ids() {
        let Ok(path) = std::str::from_utf8(site.tree.path(file)) else { continue };
        let is_page = site.format(file) == Format::Html;
        let is_internal = site.is_error_page(file)
            || site.is_shell(file)
            || matches!(path, "_redirects" | "_headers")
            || Host::of_config_file(path).is_some()
            || (!is_page && is_hashed(path));
        if is_internal || site.matches(&settings.ignore, file) {
            continue;
        }
        let address = match (index.pages.get(file), redirects.get(&file)) {
            (Some(_), Some((to, keeps))) => {
                let via = if *keeps { Via::Script } else { Via::Refresh };
                InventoryAddress::new(AnswerKind::Redirect { via, to: to.clone() })
            }
            (Some(page), None) if !page.is_part => {
                let names = anchors.remove(&file).unwrap_or_default().into_iter();
                let is_linked = |name: &str| linked.contains(&(file, hash(name.as_bytes())));
                let is_listed = |name: &str, kind: AnchorKind| match (settings.anchors, kind) {
                    (_, AnchorKind::Heading) | (AnchorSet::All, AnchorKind::Element) => true,
                    (AnchorSet::Headings, _) => false,
                    _ => is_linked(name),
                };
                let names = names.filter(|(name, kind)| is_listed(name, *kind)).map(|(name, _)| name);
                let links = part_links.remove(&file).unwrap_or_default();
                let is_noindex = page.noindex.is_some() || site.hiding_header(file).is_some();
                InventoryAddress::new(AnswerKind::Page).with(names.collect(), links).noindex(is_noindex)
            }
            _ => InventoryAddress::new(AnswerKind::File),
        };
        if !is_page || !site.resolver.has_address_forms() {
            inventory.add(&site.resolver.served_path(path), address)?;
            continue;
        }
        // To list all would double the inventory by addresses that no one uses.
        let used = forms.get(&file).copied().unwrap_or(usual_form);
        let answered = site.resolver.address_forms(path);
        let mut listed: Vec<AddressForm> = answered.into_iter().filter(|form| used.contains(*form)).collect();
        if listed.is_empty() {
            listed.push(AddressForm::File);
        }
        for form in listed {
            inventory.add(&site.resolver.served_in_form(path, form), address.clone())?;
        }
    }
    for redirect in site.resolver.redirects().all.iter().filter(|redirect| !redirect.is_conditional()) {
        if let Some((from, address)) = redirect_address(redirect, &site.settings.base_path) {
            inventory.add(&from, address)?;
        }
    }
    Ok(inventory)
}

/// Returns the form of address that links use for most pages: visitors use it for pages that no page links, too.
fn usual_form(linked: &HashMap<FileId, AddressForms, FixedState>) -> AddressForms {
    let uses = |form| linked.values().filter(|forms| forms.contains(form)).count();
    let mut usual = AddressForms::default();
    // The first of several with the same number.
    if let Some(form) = AddressForm::ALL.into_iter().rev().max_by_key(|form| uses(*form)) {
        usual.insert(form);
    }
    usual
}

/// Returns the address of a redirect; `None` for a rewrite of many paths, which are no addresses of their own.
fn redirect_address(redirect: &Redirect, base_path: &str) -> Option<(String, InventoryAddress)> {
    let kind = if redirect.is_http_redirect() {
        AnswerKind::Redirect { via: Via::Status(redirect.status), to: redirect.to.as_str().into() }
    } else if redirect.status == 200 && !redirect.is_pattern() {
        AnswerKind::Page
    } else {
        return None;
    };
    let below = decode(redirect.from.strip_prefix('/')?)?;
    Some((format!("{base_path}{below}"), InventoryAddress::new(kind)))
}
