//! Lists the addresses at which a host answers with one page: `/page.html`, and `/page` if the host adds `.html`; and those
//! from which the relative references of the page resolve from another folder.

use sitegate_address::{SitePath, UrlReference};
use sitegate_host::answer::{HostAnswer, Route};

use super::{Base, Resolver, Target};
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

impl Resolver<'_> {
    /// Whether the site may have addresses at which relative references of pages resolve from another folder.
    pub(crate) fn may_shift(&self) -> bool {
        self.may_shift && self.live().is_none()
    }

    /// Returns the address (decoded, below the root) at which a client gets a file by a reference, if relative references
    /// of the file resolve from another folder there.
    pub(crate) fn shifted_address(&self, base: &Base, reference: &str, file: FileId) -> Option<Vec<u8>> {
        let own = self.own_folder(file);
        let is_shifted = |address: &[u8]| SitePath::new(address).folder_with_slash() != own.as_slice();
        self.local_path(base, reference).filter(|path| is_shifted(path))?;
        let end = self.final_address(base, reference)?;
        let is_served = matches!(end.target, Target::File { file: served, .. } if served == file);
        let below = end.path.as_bytes().strip_prefix(b"/")?.strip_prefix(self.base_path.as_slice())?;
        (is_served && is_shifted(below)).then(|| below.to_vec())
    }

    /// Returns the address of a page with a `/` more or less than usual, if the host serves it there.
    pub(crate) fn address_with_other_slash(&self, file: FileId) -> Option<Vec<u8>> {
        let address = self.host.address_with_other_slash(self.tree.path(file))?;
        let walk = self.walk_redirects(address.clone(), 0, self.tree);
        let is_served = matches!(walk.end, Target::File { file: served, .. } if served == file);
        (walk.hops.is_empty() && is_served).then_some(address)
    }

    /// Whether an address (decoded, below the root) is that of a page with a `/` more or less than usual.
    pub(crate) fn has_other_slash(&self, page: FileId, address: &[u8]) -> bool {
        self.address_with_other_slash(page).is_some_and(|other| other == address)
    }

    /// Whether a rewrite may serve a file at addresses in other folders.
    pub(crate) fn may_be_rewritten_to(&self, file: FileId) -> bool {
        let path = self.tree.path(file);
        self.redirects.all.iter().any(|line| line.may_serve(path))
    }

    /// Returns an address below the root as a base of references.
    pub(crate) fn base_at(&self, address: &[u8]) -> Base {
        Base::from_path([self.base_path.as_slice(), address].concat(), &self.site_url)
    }

    /// Returns an address below the root as messages show it.
    pub(crate) fn shown_address(&self, address: &[u8]) -> String {
        self.shown(address)
    }

    /// Returns the folder that a file's references are relative to, with its `/`.
    fn own_folder(&self, file: FileId) -> Vec<u8> {
        SitePath::new(&*self.served_name(self.tree.path(file))).folder_with_slash().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sitegate_host::Host;

    use super::Resolver;
    use crate::contract::SiteSettings;
    use crate::walk::Tree;

    #[test]
    fn hosts_answer_with_a_page_at_several_addresses() {
        let files = ["index.html", "page.html", "both.html", "both/index.html"];
        let tree = Tree::of_paths(files.map(str::to_owned));
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
