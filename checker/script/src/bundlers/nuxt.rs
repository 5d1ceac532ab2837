//! Finds Nuxt's build manifest, which scripts fetch to know the prerendered pages. Verified with Nuxt 4.5.
//!
//! Each page contains `window.__NUXT__.config={app:{baseURL:"/",buildId:"ee92…",buildAssetsDir:"/_nuxt/"}}`, and needs
//! `/_nuxt/builds/meta/ee92….json`.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

use crate::facts::Script;
use crate::load::{Grade, LoadKind, RelativeTo, ScriptLoad};
use crate::syntax::property;
use crate::syntax::text;

pub(super) fn read_node(node: AstKind<'_>, script: &mut Script) {
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
    script.loads.push(ScriptLoad {
        kind: LoadKind::Data,
        address: address.into(),
        relative_to: RelativeTo::Document,
        grade: Grade::Required,
        goal: None,
        span: span.start..span.end,
    });
}
