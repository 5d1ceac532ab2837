//! Finds the documents that viewers fetch, by the literal settings of the call that starts a viewer. Verified with
//! Swagger UI 5, Redoc 2, Scalar 1, Docsify 4 and reveal.js 5.
//!
//! - `SwaggerUIBundle({ url: "openapi.json" })`, and `urls` with several
//! - `Redoc.init("openapi.yaml", …)`
//! - `Scalar.createApiReference("#app", { url: "openapi.json" })`, and `sources` with several
//! - `window.$docsify = { homepage: "home.md", loadSidebar: true }`
//! - `Reveal.initialize({ dependencies: [{ src: "plugin/notes.js" }] })`

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression};
use oxc_span::GetSpan;

use crate::address::{Address, AddressReader};
use crate::facts::Script;
use crate::load::{Goal, Grade, LoadKind, ScriptLoad};
use crate::syntax::{property, range, text};

/// A part of the page of Docsify: its setting, and the file if the setting is only `true`.
const DOCSIFY_PARTS: [(&str, &str); 3] =
    [("loadSidebar", "_sidebar.md"), ("loadNavbar", "_navbar.md"), ("coverpage", "_coverpage.md")];

/// Whether settings that are only data start a viewer, if this name gets them.
pub(crate) fn is_viewer(name: &str) -> bool {
    matches!(name, "$docsify" | "Redoc" | "Reveal" | "SwaggerUI" | "SwaggerUIBundle")
}

pub(super) fn read_node<'a>(node: AstKind<'a>, addresses: &AddressReader<'_, 'a>, script: &mut Script) {
    let viewers = Viewers { addresses };
    match node {
        AstKind::CallExpression(call) => viewers.call(call, script),
        AstKind::AssignmentExpression(set) => {
            if let AssignmentTarget::StaticMemberExpression(member) = &set.left
                && member.property.name == "$docsify"
            {
                docsify(&set.right, script);
            }
        }
        _ => {}
    }
}

struct Viewers<'r, 'p, 'a> {
    addresses: &'r AddressReader<'p, 'a>,
}

impl<'a> Viewers<'_, '_, 'a> {
    fn call(&self, call: &CallExpression<'a>, script: &mut Script) {
        let argument = |at: usize| call.arguments.get(at).and_then(|argument| argument.as_expression());
        match self.addresses.text(call.callee.span()) {
            "SwaggerUIBundle" | "window.SwaggerUIBundle" | "SwaggerUI" => {
                let Some(settings) = argument(0) else { return };
                self.add(property(settings, "url"), script);
                self.add(property(settings, "configUrl"), script);
                self.add_each(property(settings, "urls"), "url", script);
            }
            "Redoc.init" | "window.Redoc.init" => self.add(argument(0), script),
            "Scalar.createApiReference" | "window.Scalar.createApiReference" => {
                let Some(settings) = argument(1) else { return };
                self.add(property(settings, "url"), script);
                self.add_each(property(settings, "sources"), "url", script);
            }
            "Reveal.initialize" | "window.Reveal.initialize" => {
                let dependencies = argument(0).and_then(|settings| property(settings, "dependencies"));
                for dependency in items(dependencies) {
                    // A condition decides at run time whether the page needs the plugin.
                    let grade = match property(dependency, "condition") {
                        Some(_) => Grade::Optional,
                        None => Grade::Required,
                    };
                    let src = property(dependency, "src");
                    self.add_as(src, (LoadKind::ScriptElement, grade, Some(Goal::Script)), script);
                }
            }
            _ => {}
        }
    }

    fn add(&self, address: Option<&Expression<'a>>, script: &mut Script) {
        self.add_as(address, (LoadKind::Fetch, Grade::Required, None), script);
    }

    fn add_each(&self, list: Option<&Expression<'a>>, name: &str, script: &mut Script) {
        items(list).for_each(|item| self.add(property(item, name), script));
    }

    /// Adds a file, if its address is a literal. An empty one means the petstore of Swagger, or an object instead.
    fn add_as(
        &self,
        written: Option<&Expression<'a>>,
        (kind, grade, goal): (LoadKind, Grade, Option<Goal>),
        script: &mut Script,
    ) {
        let Some(expression) = written else { return };
        let Some(Address { text: address, relative_to }) = self.addresses.evaluate(expression) else {
            return;
        };
        if address.is_empty() {
            return;
        }
        let span = range(text(expression).map_or_else(|| expression.span(), |(span, _)| span));
        script.loads.push(ScriptLoad { kind, address: address.into(), relative_to, grade, goal, span });
    }
}

/// Adds the files that Docsify shows first. Files that their links name are fetched later, and not read.
fn docsify<'a>(settings: &Expression<'a>, script: &mut Script) {
    let folder = match property(settings, "basePath") {
        Some(folder) => match text(folder) {
            Some((_, folder)) => folder,
            None => return,
        },
        None => "",
    };
    let mut add = |name: &str, grade: Grade, at: &Expression<'a>| {
        let load = ScriptLoad::new(LoadKind::Fetch, format!("{folder}{name}"), range(at.span()));
        script.loads.push(ScriptLoad { grade, ..load });
    };
    match property(settings, "homepage") {
        Some(homepage) => {
            if let Some((_, name)) = text(homepage) {
                let is_whole = name.contains("//");
                if !is_whole {
                    add(name, Grade::Required, homepage);
                }
            }
        }
        None => add("README.md", Grade::Optional, settings),
    }
    for (setting, default) in DOCSIFY_PARTS {
        let Some(value) = property(settings, setting) else { continue };
        match value {
            Expression::BooleanLiteral(is_on) if is_on.value => add(default, Grade::Required, value),
            _ => {
                if let Some((_, name)) = text(value) {
                    add(name, Grade::Required, value);
                }
            }
        }
    }
}

/// Returns the items of an array.
fn items<'e, 'a>(list: Option<&'e Expression<'a>>) -> impl Iterator<Item = &'e Expression<'a>> {
    let elements = match list {
        Some(Expression::ArrayExpression(array)) => array.elements.as_slice(),
        _ => &[],
    };
    elements.iter().filter_map(|element| element.as_expression())
}

#[cfg(test)]
mod tests {
    use crate::{Memory, may_load, read_script};

    fn loads(script: &str) -> Vec<String> {
        let read = read_script(script, &mut Memory::default());
        assert!(read.loads.is_empty() || may_load(script.as_bytes()), "{script}");
        read.loads.iter().map(|load| format!("{} {:?}", load.address, load.grade)).collect()
    }

    #[test]
    fn finds_specifications() {
        assert_eq!(
            loads("window.ui = SwaggerUIBundle({ url: '../api.json', dom_id: '#ui' })"),
            ["../api.json Required"]
        );
        assert_eq!(
            loads("const ui = SwaggerUIBundle({ urls: [{ url: 'a.yaml', name: 'A' }, { url: 'b.yaml' }] })"),
            ["a.yaml Required", "b.yaml Required"]
        );
        assert_eq!(loads("Redoc.init('openapi.yaml', {}, document.body)"), ["openapi.yaml Required"]);
        assert_eq!(
            loads("Scalar.createApiReference('#app', { url: '/api.json', sources: [{ url: 'b.json' }] })"),
            ["/api.json Required", "b.json Required"]
        );
        for other in [
            "SwaggerUIBundle({ spec: {} })",
            "SwaggerUIBundle({ url: '' })",
            "SwaggerUIBundle({ url: location.hash })",
            "Redoc.init({ openapi: '3.0.0' })",
            "init({ url: 'a.json' })",
        ] {
            assert_eq!(loads(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn finds_the_files_of_docsify_and_reveal() {
        assert_eq!(loads("window.$docsify = { name: 'Acme' }"), ["README.md Optional"]);
        assert_eq!(
            loads(
                "window.$docsify = { basePath: '/docs/', homepage: 'home.md', loadSidebar: true, coverpage: false }"
            ),
            ["/docs/home.md Required", "/docs/_sidebar.md Required"]
        );
        assert_eq!(
            loads("window.$docsify = { homepage: 'https://x.test/README.md', loadNavbar: 'nav.md' }"),
            ["nav.md Required"]
        );
        assert_eq!(
            loads(
                "Reveal.initialize({ dependencies: [{ src: 'a.js' }, { src: 'b.js', condition: () => 1 }] })"
            ),
            ["a.js Required", "b.js Optional"]
        );
    }
}
