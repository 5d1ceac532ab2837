//! Lists the addresses at which a host answers with one page: `/page.html`, and `/page` if the host adds `.html`.

use sitegate_address::{SitePath, UrlReference};
use sitegate_host::answer::{HostAnswer, Route};

use super::{Resolver, Target};
use crate::walk::FileId;

const HTML: &str = ".html";

/// The form of an address of `page.html`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressForm {
    /// `/page.html`.
    File,
    /// `/page`.
    Bare,
    /// `/page/`.
    Slash,
}

/// A set of forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddressForms(u8);

impl AddressForm {
    /// All forms, in the order in which one is preferred if links use them equally often.
    pub const ALL: [AddressForm; 3] = [AddressForm::File, AddressForm::Bare, AddressForm::Slash];

    /// Returns the form of a path.
    pub fn of_path(path: &str) -> AddressForm {
        match path {
            _ if path.ends_with('/') => AddressForm::Slash,
            _ if path.ends_with(HTML) => AddressForm::File,
            _ => AddressForm::Bare,
        }
    }
}

impl AddressForms {
    pub fn insert(&mut self, form: AddressForm) {
        self.0 |= 1 << form as u8;
    }

    pub fn contains(self, form: AddressForm) -> bool {
        self.0 & 1 << form as u8 != 0
    }

    #[must_use]
    pub fn union(self, other: AddressForms) -> AddressForms {
        AddressForms(self.0 | other.0)
    }
}

impl Resolver<'_> {
    /// Whether the host answers with a page at several addresses, and redirects none of them to another. Of a live site,
    /// each page has the address at which it was found.
    pub(crate) fn has_address_forms(&self) -> bool {
        self.host.adds_html() && !self.host.drops_html() && self.live().is_none()
    }

    /// Returns the forms of the addresses that the host answers with a page of the export.
    pub(crate) fn address_forms(&self, page: &str) -> Vec<AddressForm> {
        let stem = if self.has_address_forms() { stem(page) } else { None };
        let file = self.tree.find(page.as_bytes());
        let is_answered = |form: &AddressForm| {
            let Some(stem) = stem else { return *form == AddressForm::File };
            let mut path = in_form(stem, *form).into_bytes();
            let answer = self.host.answer(&mut path, self.tree);
            *form == AddressForm::File
                || matches!(answer, HostAnswer::File { file: found, .. } if Some(found) == file)
        };
        AddressForm::ALL.into_iter().filter(is_answered).collect()
    }

    /// Returns the URL path of a page in a form. A page has the path of [`Resolver::served_path`] if that is no file name.
    pub(crate) fn served_in_form(&self, page: &str, form: AddressForm) -> String {
        match stem(page) {
            Some(stem) if self.has_address_forms() => self.shown(in_form(stem, form).as_bytes()),
            _ => self.served_path(page),
        }
    }

    /// Returns all URL paths that the host answers with a page of the export.
    pub(crate) fn served_paths(&self, page: &str) -> Vec<String> {
        self.address_forms(page).into_iter().map(|form| self.served_in_form(page, form)).collect()
    }

    /// Returns the page that a reference links, and the form of its address, if it could have another one.
    pub(crate) fn linked_form(&self, reference: &str, target: Target) -> Option<(FileId, AddressForm)> {
        let Target::File { file, route: Route::Exact | Route::Html } = target else { return None };
        let path = UrlReference::new(reference).path();
        // A mere fragment names the page itself, at any address.
        if path.is_empty() || !self.has_address_forms() || stem(&self.tree.display(file)).is_none() {
            return None;
        }
        Some((file, AddressForm::of_path(path)))
    }
}

/// Returns the path of a page without `.html`, if it is no index document.
fn stem(page: &str) -> Option<&str> {
    let stem = page.strip_suffix(HTML).filter(|stem| !stem.is_empty() && !stem.ends_with('/'))?;
    (!SitePath::new(page).is_index()).then_some(stem)
}

fn in_form(stem: &str, form: AddressForm) -> String {
    match form {
        AddressForm::File => format!("{stem}{HTML}"),
        AddressForm::Bare => stem.to_owned(),
        AddressForm::Slash => format!("{stem}/"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::sync::Arc;

    use sitegate_host::Host;

    use super::Resolver;
    use crate::contract::SiteSettings;
    use crate::walk::Tree;

    #[test]
    fn hosts_answer_with_a_page_at_several_addresses() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("both")).unwrap();
        for page in ["index.html", "page.html", "both.html", "both/index.html"] {
            fs::write(folder.path().join(page), "").unwrap();
        }
        let tree = Tree::walk(folder.path()).unwrap();
        let paths = |host, page: &str| {
            let settings = SiteSettings { host: Some(host), ..SiteSettings::default() };
            Resolver::new(&tree, &settings, Arc::default()).served_paths(page).join(" ")
        };
        for (host, page, expected) in [
            (Host::S3Website, "page.html", "/page.html"),
            (Host::CloudflarePages, "page.html", "/page"),
            (Host::GithubPages, "page.html", "/page.html /page"),
            (Host::Netlify, "page.html", "/page.html /page"),
            (Host::GitlabPages, "page.html", "/page.html /page /page/"),
            (Host::AzureStaticWebApps, "page.html", "/page.html /page /page/"),
            (Host::GithubPages, "both.html", "/both.html /both"),
            // The folder comes first.
            (Host::GitlabPages, "both.html", "/both.html"),
            (Host::GithubPages, "both/index.html", "/both/"),
            (Host::GithubPages, "index.html", "/"),
        ] {
            assert_eq!(paths(host, page), expected, "{host:?} {page}");
        }
    }
}
