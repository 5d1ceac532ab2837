//! Finds a file that the scripts of a framework load by a name of their own: Gatsby, Nuxt, Storybook.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Expression};

use crate::address::AddressReader;
use crate::facts::Script;
use crate::load::{LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::{property, range, text, text_of_node};

/// The page, next to the manager's.
const PAGE: &str = "iframe.html";

pub(super) fn read_node<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    gatsby(node, script);
    nuxt(node, script);
    storybook(node, addresses, script);
}

/// Adds Gatsby's page data, which scripts fetch before the page becomes interactive. Verified with Gatsby 5.16.
///
/// Each page contains `window.pagePath="/about/"`, and needs `page-data/about/page-data.json`; the home page needs
/// `page-data/index/page-data.json`. All need `page-data/app-data.json`.
fn gatsby(node: AstKind<'_>, script: &mut Script) {
    let AstKind::AssignmentExpression(set) = node else { return };
    let AssignmentTarget::StaticMemberExpression(member) = &set.left else { return };
    if member.property.name != "pagePath" || !member.object.is_specific_id("window") {
        return;
    }
    let Some((span, path)) = text(&set.right) else { return };
    let name = match path.trim_matches('/') {
        "" => "index",
        name => name,
    };
    for address in [format!("page-data/{name}/page-data.json"), "page-data/app-data.json".to_owned()] {
        let load = ScriptLoad::new(LoadKind::Data, address, range(span));
        script.loads.push(ScriptLoad { relative_to: RelativeTo::Anywhere, ..load });
    }
}

/// Adds Nuxt's build manifest, which scripts fetch to know the prerendered pages. Verified with Nuxt 4.5.
///
/// Each page contains `window.__NUXT__.config={app:{baseURL:"/",buildId:"ee92…",buildAssetsDir:"/_nuxt/"}}`, and needs
/// `/_nuxt/builds/meta/ee92….json`.
fn nuxt(node: AstKind<'_>, script: &mut Script) {
    let AstKind::ObjectProperty(app) = node else { return };
    if !app.key.is_specific_static_name("app") || !matches!(app.value, Expression::ObjectExpression(_)) {
        return;
    }
    let value_of = |name| text(property(&app.value, name)?);
    let (Some((_, base)), Some((span, id)), Some((_, folder))) =
        (value_of("baseURL"), value_of("buildId"), value_of("buildAssetsDir"))
    else {
        return;
    };
    let address =
        format!("{}/{}/builds/meta/{id}.json", base.trim_end_matches('/'), folder.trim_matches('/'));
    script.loads.push(ScriptLoad::new(LoadKind::Data, address, range(span)));
}

/// Adds the page in which Storybook shows a story. Verified with Storybook 9.1.
///
/// The manager composes its URL: `(PREVIEW_URL || "iframe.html") + "?id=…"`.
fn storybook<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    let Some((span, _)) = text_of_node(node).filter(|(_, text)| *text == PAGE) else { return };
    if !addresses.contains("PREVIEW_URL") || script.loads.iter().any(|load| &*load.address == PAGE) {
        return;
    }
    script.loads.push(ScriptLoad::new(LoadKind::Asset, PAGE, range(span)));
}
