//! Compares the public API with the reviewed list `public-api.txt` of all public items that the crate's root exports.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use quote::{ToTokens, quote};
use syn::{Attribute, Fields, FnArg, ImplItem, Item, Meta, TraitItem, Type, UseTree, Visibility};

#[test]
fn public_api_matches_the_list() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&crate_folder.join("src"), &mut files);
    let files: Vec<syn::File> = files.iter().map(|file| parse(file)).collect();
    let mut exported = BTreeSet::new();
    for item in &parse(&crate_folder.join("src/lib.rs")).items {
        match item {
            Item::Use(item) if is_public(&item.vis) => names(&item.tree, &mut exported),
            Item::Mod(item) if is_public(&item.vis) => assert!(is_hidden(&item.attrs), "{}", item.ident),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let items: Vec<&Item> = files.iter().flat_map(|file| &file.items).collect();
    items.iter().for_each(|item| list(item, &exported, &mut found));
    for name in &exported {
        let is_this = |line: &&String| {
            line.split(' ').nth(2).is_some_and(|word| word.split(['<', '(', ':']).next() == Some(name))
        };
        assert_eq!(
            found.iter().filter(is_this).filter(|line| line.starts_with("pub ")).count().min(1),
            1,
            "{name}"
        );
    }
    let found: String = found.iter().map(|line| format!("{line}\n")).collect();
    let listing = crate_folder.join("public-api.txt");
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(listing, found).unwrap();
    }
    let listed = fs::read_to_string(listing).unwrap_or_default();
    let first = listed.lines().zip(found.lines()).find(|(listed, found)| listed != found);
    assert!(listed == found, "the public API changed: {first:?}; `UPDATE=1 cargo test` lists it");
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn parse(file: &Path) -> syn::File {
    syn::parse_file(&fs::read_to_string(file).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn names(tree: &UseTree, exported: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, exported),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, exported)),
        UseTree::Name(name) => {
            exported.insert(name.ident.to_string());
        }
        UseTree::Rename(_) | UseTree::Glob(_) => panic!("the root exports each item by its own name"),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| text(attribute).contains("doc(hidden)"))
}

/// Lists an item with its fields, variants and methods.
fn list(item: &Item, exported: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    let is_exported = |name: &dyn ToString, visibility: &Visibility| {
        is_public(visibility) && exported.contains(&name.to_string())
    };
    let mut add = |line: String| {
        found.insert(line);
    };
    match item {
        Item::Struct(item) if is_exported(&item.ident, &item.vis) => {
            let (name, generics, bounds) = (&item.ident, &item.generics, &item.generics.where_clause);
            add(format!("pub struct {}{}", text(&quote!(#name #generics #bounds)), derived(&item.attrs)));
            fields(&item.fields, &name.to_string(), false, &mut add);
        }
        Item::Enum(item) if is_exported(&item.ident, &item.vis) => {
            let (name, generics) = (&item.ident, &item.generics);
            add(format!("pub enum {}{}", text(&quote!(#name #generics)), derived(&item.attrs)));
            for variant in &item.variants {
                add(format!("pub variant {name}::{}", variant.ident));
                fields(&variant.fields, &format!("{name}::{}", variant.ident), true, &mut add);
            }
        }
        Item::Trait(item) if is_exported(&item.ident, &item.vis) => {
            let (name, bounds) = (&item.ident, &item.supertraits);
            add(format!("pub trait {name}: {}", text(bounds)));
            for method in &item.items {
                let TraitItem::Fn(method) = method else { panic!("{name} has more than methods") };
                add(format!("pub fn {name}::{}", signature(&method.sig)));
            }
        }
        Item::Fn(item) if is_exported(&item.sig.ident, &item.vis) => {
            add(format!("pub fn {}", signature(&item.sig)));
        }
        Item::Type(item) if is_exported(&item.ident, &item.vis) => {
            add(format!("pub type {} = {}", item.ident, text(&item.ty)));
        }
        Item::Const(item) if is_exported(&item.ident, &item.vis) => {
            add(format!("pub const {}: {}", item.ident, text(&item.ty)));
        }
        Item::Impl(item) => {
            let Type::Path(path) = &*item.self_ty else { return };
            let Some(name) = path.path.segments.last().map(|last| last.ident.to_string()) else { return };
            if !exported.contains(&name) || is_hidden(&item.attrs) {
                return;
            }
            if let Some((_, of, _)) = &item.trait_ {
                return add(format!("impl {} for {name}", text(of)));
            }
            for method in &item.items {
                match method {
                    ImplItem::Fn(method) if is_public(&method.vis) && !is_hidden(&method.attrs) => {
                        add(format!("pub fn {name}::{}", signature(&method.sig)));
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn fields(fields: &Fields, of: &str, are_public: bool, add: &mut impl FnMut(String)) {
    for (index, field) in fields.iter().enumerate() {
        if (are_public || is_public(&field.vis)) && !is_hidden(&field.attrs) {
            let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
            add(format!("pub field {of}::{name}: {}", text(&field.ty)));
        }
    }
}

/// Returns a function's signature without the names of its arguments.
fn signature(signature: &syn::Signature) -> String {
    let (name, generics, output) = (&signature.ident, &signature.generics, &signature.output);
    let inputs = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => text(receiver),
        FnArg::Typed(typed) => text(&typed.ty),
    });
    let inputs: Vec<String> = inputs.collect();
    let bounds = &generics.where_clause;
    let start = text(&quote!(#name #generics));
    format!("{start}({}) {}", inputs.join(", "), text(&quote!(#output #bounds))).trim_end().to_owned()
}

/// Returns the traits that an item derives, and whether it is non-exhaustive.
fn derived(attributes: &[Attribute]) -> String {
    let known = attributes.iter().filter(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("non_exhaustive"),
        Meta::List(list) => list.path.is_ident("derive"),
        Meta::NameValue(_) => false,
    });
    known.map(|attribute| format!(" {}", text(attribute))).collect()
}

/// Formats tokens roughly as source code.
fn text(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let tight = [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        ("< ", "<"),
        (" <", "<"),
        ("& ", "&"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        ("# ", "#"),
        (" :", ":"),
        ("- >", "->"),
        (" ;", ";"),
    ];
    tight
        .iter()
        .fold(spaced, |text, (wide, narrow)| text.replace(wide, narrow))
        .replace("->", "-> ")
        .replace("->  ", "-> ")
}
