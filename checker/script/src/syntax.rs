//! Provides parts of a syntax tree that several readers need.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, ObjectPropertyKind};
use oxc_span::Span;

/// Returns a property of an object literal.
pub(super) fn property<'e, 'a>(object: &'e Expression<'a>, name: &str) -> Option<&'e Expression<'a>> {
    let Expression::ObjectExpression(object) = object.get_inner_expression() else { return None };
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) if property.key.is_specific_static_name(name) => {
            Some(&property.value)
        }
        _ => None,
    })
}

/// Converts a span to a range.
pub(super) fn range(span: Span) -> Range<u32> {
    span.start..span.end
}

/// Returns the value of a text without placeholders, and its location between the quotes.
pub(super) fn text<'a>(expression: &Expression<'a>) -> Option<(Span, &'a str)> {
    match expression {
        Expression::StringLiteral(text) => Some((inside(text.span), text.value.as_str())),
        Expression::TemplateLiteral(text) => Some((inside(text.span), text.single_quasi()?.as_str())),
        _ => None,
    }
}

/// Returns the [`text`] of a node.
pub(super) fn text_of_node(node: AstKind<'_>) -> Option<(Span, &str)> {
    match node {
        AstKind::StringLiteral(text) => Some((inside(text.span), text.value.as_str())),
        AstKind::TemplateLiteral(text) => Some((inside(text.span), text.single_quasi()?.as_str())),
        _ => None,
    }
}

/// Returns the location between the quotes of a text.
fn inside(span: Span) -> Span {
    Span::new(span.start + 1, span.end - 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::path::Path;

    use oxc_allocator::Allocator;
    use oxc_ast::ast::{Expression, PropertyKey};
    use oxc_ast_visit::{Visit, walk};
    use oxc_parser::Parser;
    use oxc_span::SourceType;

    use crate::{Memory, may_load, read_script};

    /// The quotes of strings that can be templates.
    #[derive(Default)]
    struct Quotes(Vec<usize>);

    impl<'a> Visit<'a> for Quotes {
        fn visit_expression(&mut self, expression: &Expression<'a>) {
            if let Expression::StringLiteral(text) = expression {
                self.0.extend([text.span.start as usize, text.span.end as usize - 1]);
            }
            walk::walk_expression(self, expression);
        }

        fn visit_property_key(&mut self, key: &PropertyKey<'a>) {
            if !matches!(key, PropertyKey::StringLiteral(_)) {
                walk::walk_property_key(self, key);
            }
        }
    }

    /// Returns a script with templates instead of strings, if it can be parsed.
    fn with_templates(script: &str) -> Option<String> {
        let memory = Allocator::default();
        let parsed = Parser::new(&memory, script, SourceType::unambiguous()).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            return None;
        }
        let mut quotes = Quotes::default();
        quotes.visit_program(&parsed.program);
        let mut bytes = script.as_bytes().to_vec();
        for pair in quotes.0.chunks_exact(2) {
            let inside = &script[pair[0] + 1..pair[1]];
            if !inside.contains(['`', '\\']) && !inside.contains("${") {
                for at in pair {
                    bytes[*at] = b'`';
                }
            }
        }
        String::from_utf8(bytes).ok()
    }

    /// Returns the scripts in a folder, at any depth, by path.
    fn scripts(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                scripts(&entry, found);
            } else if is_script(&entry) {
                // Scripts in other encodings are left out.
                found.extend(fs::read_to_string(&entry).ok().map(|text| (entry.display().to_string(), text)));
            }
        }
    }

    fn is_script(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "js" || extension == "mjs")
    }

    #[test]
    fn templates_without_expressions_are_strings_everywhere() {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../check/tests");
        let mut files = Vec::new();
        scripts(&tests, &mut files);
        let mut cases = sitegate_textcase::read_folder(&tests.join("cases")).unwrap();
        cases.extend(sitegate_textcase::read_file(&tests.join("bundles.txt")).unwrap());
        for case in cases {
            let own = case.files().filter(|(path, _)| is_script(Path::new(path)));
            files.extend(own.map(|(path, text)| (format!("{} {path}", case.location()), text.to_owned())));
        }
        let mut memory = Memory::default();
        let mut changed = 0;
        for (path, script) in &files {
            let Some(templates) = with_templates(script).filter(|templates| templates != script) else {
                continue;
            };
            changed += 1;
            assert_eq!(may_load(script.as_bytes()), may_load(templates.as_bytes()), "{path}");
            assert_eq!(read_script(script, &mut memory), read_script(&templates, &mut memory), "{path}");
        }
        assert!(changed > 200, "{changed} of {} scripts", files.len());
    }
}
