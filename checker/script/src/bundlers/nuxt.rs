//! Nuxt's description of a build, which its scripts fetch to know which pages are prerendered. Seen with Nuxt 4.5.
//!
//! Each page says `window.__NUXT__.config={app:{baseURL:"/",buildId:"ee92…",buildAssetsDir:"/_nuxt/"}}`, and needs
//! `/_nuxt/builds/meta/ee92….json`.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

use crate::facts::Script;
use crate::load::{Against, Grade, LoadKind, ScriptLoad};
use crate::syntax::property;
use crate::syntax::text;

pub(super) fn read_node(node: AstKind<'_>, script: &mut Script) {
    let AstKind::ObjectProperty(app) = node else { return };
    if !app.key.is_specific_static_name("app") || !matches!(app.value, Expression::ObjectExpression(_)) {
        return;
    }
    let said = |name| text(property(&app.value, name)?);
    let (Some((_, base)), Some((span, id)), Some((_, folder))) =
        (said("baseURL"), said("buildId"), said("buildAssetsDir"))
    else {
        return;
    };
    let address =
        format!("{}/{}/builds/meta/{id}.json", base.trim_end_matches('/'), folder.trim_matches('/'));
    script.loads.push(ScriptLoad {
        kind: LoadKind::Data,
        address: address.into(),
        against: Against::Document,
        grade: Grade::Needed,
        goal: None,
        span: span.start..span.end,
    });
}
