//! Reads the string literals of an authored script or of JSON, with their places in it, and its comments and JSX tags.

use std::ops::Range;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrayExpression, ArrayExpressionElement, BinaryExpression, CallExpression,
    ComputedMemberExpression, Directive, ExportAllDeclaration, ExportNamedDeclaration, Expression,
    ImportDeclaration, ImportExpression, JSXAttribute, JSXAttributeName, JSXAttributeValue,
    JSXOpeningElement, NewExpression, ObjectProperty, PropertyDefinition, PropertyKey, StringLiteral,
    TSEnumMemberName, TSExternalModuleReference, TSInterfaceDeclaration, TSModuleDeclaration, TSType,
    TSTypeParameterDeclaration, TSTypeParameterInstantiation, TaggedTemplateExpression, TemplateLiteral,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType, Span};

use super::nesting::{too_deep, with_large_stack};

/// The syntax of an authored text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralSyntax {
    /// `JavaScript`, also with JSX.
    JavaScript,
    /// `TypeScript`.
    TypeScript,
    /// `TypeScript` with JSX.
    Tsx,
    /// JSON, also with comments and trailing commas.
    Json,
}

/// The place of a literal in the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralPlace<'p> {
    /// A module specifier, or the URL of a file next to the script.
    Module,
    /// The value of an attribute of JSX, by the attribute's name. A value in quotes has character references.
    Attribute {
        /// The name.
        name: &'p str,
        /// Whether it is an expression in braces.
        is_expression: bool,
    },
    /// The value of a property.
    Property,
    /// An item of a list.
    Item,
    /// Any other place in code.
    Other,
}

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptPart<'p> {
    /// A string, or a template without placeholders.
    Literal {
        /// The bytes between the quotes.
        range: Range<usize>,
        /// The text without escapes.
        value: &'p str,
        /// Its place.
        place: LiteralPlace<'p>,
        /// The keys of the objects around it, the outermost first. A computed key is empty.
        keys: &'p [String],
    },
    /// A start tag of JSX.
    Tag {
        /// From `<` to after `>`.
        range: Range<usize>,
        /// The bytes of its name.
        name: Range<usize>,
    },
    /// A comment.
    Comment(Range<usize>),
}

/// Parses a script or JSON of less than 4 GiB, and calls `found` with its parts. Returns false, without a call, if it
/// cannot be parsed.
pub fn read_literals<F: FnMut(ScriptPart<'_>) + Send>(text: &str, syntax: LiteralSyntax, found: F) -> bool {
    const MAX_LENGTH: usize = u32::MAX as usize - 4;
    if text.len() > MAX_LENGTH || too_deep(text).is_some() {
        return false;
    }
    // The parser recurses as deeply as the script is nested.
    let read = || match syntax {
        LiteralSyntax::Json => read_text(&format!("({text}\n)"), 1, &[SourceType::script()], found),
        LiteralSyntax::JavaScript => {
            let goals = [SourceType::unambiguous().with_jsx(true), SourceType::script()];
            read_text(text, 0, &goals, found)
        }
        LiteralSyntax::TypeScript => read_text(text, 0, &[SourceType::ts()], found),
        LiteralSyntax::Tsx => read_text(text, 0, &[SourceType::tsx(), SourceType::ts()], found),
    };
    with_large_stack(read).unwrap_or(false)
}

/// Reads a text of which `before` bytes are not those of the file.
fn read_text<F: FnMut(ScriptPart<'_>)>(text: &str, before: usize, goals: &[SourceType], found: F) -> bool {
    let memory = Allocator::default();
    for goal in goals {
        let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
        let parsed = Parser::new(&memory, text, *goal).with_options(options).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            continue;
        }
        let mut reader = LiteralReader { before, text, keys: Vec::new(), found };
        for comment in &parsed.program.comments {
            let range = reader.range(comment.span);
            (reader.found)(ScriptPart::Comment(range));
        }
        reader.visit_program(&parsed.program);
        return true;
    }
    false
}

struct LiteralReader<'t, F> {
    before: usize,
    text: &'t str,
    keys: Vec<String>,
    found: F,
}

impl<'a, F: FnMut(ScriptPart<'_>)> LiteralReader<'_, F> {
    fn range(&self, span: Span) -> Range<usize> {
        span.start as usize - self.before..span.end as usize - self.before
    }

    /// Reports the text between the quotes of a literal.
    fn report(&mut self, span: Span, value: &str, place: LiteralPlace<'_>) {
        let Range { start, end } = self.range(span);
        if end >= start + 2 {
            let range = start + 1..end - 1;
            (self.found)(ScriptPart::Literal { range, value, place, keys: &self.keys });
        }
    }

    fn report_string(&mut self, text: &StringLiteral<'a>, place: LiteralPlace<'_>) {
        // A lone surrogate is no text that a file can have.
        if !text.lone_surrogates {
            self.report(text.span, &text.value, place);
        }
    }

    /// Reads an expression whose place is known if it is a literal as a whole.
    fn expression(&mut self, expression: &Expression<'a>, place: LiteralPlace<'_>) {
        match expression.get_inner_expression() {
            Expression::StringLiteral(text) => self.report_string(text, place),
            Expression::TemplateLiteral(text) => match text.single_quasi() {
                Some(value) => self.report(text.span, value.as_str(), place),
                None => self.visit_template_literal(text),
            },
            _ => self.visit_expression(expression),
        }
    }

    /// Reads the first argument as a module, and the others as any code.
    fn module_call(&mut self, arguments: &[Argument<'a>]) {
        for (index, argument) in arguments.iter().enumerate() {
            match argument.as_expression() {
                Some(expression) if index == 0 => self.expression(expression, LiteralPlace::Module),
                _ => self.visit_argument(argument),
            }
        }
    }

    fn property(&mut self, key: &PropertyKey<'a>, is_computed: bool, value: &Expression<'a>) {
        if is_computed {
            self.visit_property_key(key);
        }
        let name = if is_computed { None } else { key.static_name() };
        self.keys.push(name.map(|name| name.to_string()).unwrap_or_default());
        self.expression(value, LiteralPlace::Property);
        self.keys.pop();
    }

    /// Reads an operand that is a part of a text or a key: a literal is none as a whole.
    fn partial(&mut self, expression: &Expression<'a>) {
        match expression.get_inner_expression() {
            Expression::StringLiteral(_) => {}
            Expression::TemplateLiteral(text) if text.single_quasi().is_some() => {}
            _ => self.visit_expression(expression),
        }
    }

    fn source(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

impl<'a, F: FnMut(ScriptPart<'_>)> Visit<'a> for LiteralReader<'_, F> {
    fn visit_string_literal(&mut self, text: &StringLiteral<'a>) {
        self.report_string(text, LiteralPlace::Other);
    }

    fn visit_template_literal(&mut self, text: &TemplateLiteral<'a>) {
        match text.single_quasi() {
            Some(value) => self.report(text.span, value.as_str(), LiteralPlace::Other),
            None => text.expressions.iter().for_each(|expression| self.partial(expression)),
        }
    }

    /// The text of a tagged template is in the language of its tag.
    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        self.visit_expression(&tagged.tag);
        tagged.quasi.expressions.iter().for_each(|expression| self.visit_expression(expression));
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.property(&property.key, property.computed, &property.value);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        self.visit_decorators(&property.decorators);
        if let Some(value) = &property.value {
            self.property(&property.key, property.computed, value);
        }
    }

    fn visit_property_key(&mut self, key: &PropertyKey<'a>) {
        if !matches!(key, PropertyKey::StringLiteral(_) | PropertyKey::TemplateLiteral(_)) {
            walk::walk_property_key(self, key);
        }
    }

    fn visit_array_expression(&mut self, list: &ArrayExpression<'a>) {
        for element in &list.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => self.visit_spread_element(spread),
                _ => {
                    if let Some(expression) = element.as_expression() {
                        self.expression(expression, LiteralPlace::Item);
                    }
                }
            }
        }
    }

    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        if binary.operator.as_str() == "+" {
            self.partial(&binary.left);
            self.partial(&binary.right);
        } else {
            walk::walk_binary_expression(self, binary);
        }
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        self.visit_expression(&member.object);
        self.partial(&member.expression);
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        self.report_string(&import.source, LiteralPlace::Module);
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        self.report_string(&export.source, LiteralPlace::Module);
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        if let Some(source) = &export.source {
            self.report_string(source, LiteralPlace::Module);
        }
        if let Some(declaration) = &export.declaration {
            self.visit_declaration(declaration);
        }
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        self.expression(&import.source, LiteralPlace::Module);
    }

    fn visit_ts_external_module_reference(&mut self, module: &TSExternalModuleReference<'a>) {
        self.report_string(&module.expression, LiteralPlace::Module);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let callee = self.source(call.callee.span());
        if matches!(callee, "require" | "require.resolve" | "import.meta.resolve") {
            self.module_call(&call.arguments);
        } else {
            walk::walk_call_expression(self, call);
        }
    }

    /// `new URL("…", import.meta.url)` is a file next to the script.
    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        let is_url = self.source(new.callee.span()) == "URL";
        match new.arguments.get(1) {
            Some(base) if is_url && self.source(base.span()) == "import.meta.url" => {
                self.module_call(&new.arguments);
            }
            _ => walk::walk_new_expression(self, new),
        }
    }

    fn visit_jsx_opening_element(&mut self, tag: &JSXOpeningElement<'a>) {
        let part = ScriptPart::Tag { range: self.range(tag.span), name: self.range(tag.name.span()) };
        (self.found)(part);
        self.visit_jsx_attribute_items(&tag.attributes);
    }

    fn visit_jsx_attribute(&mut self, attribute: &JSXAttribute<'a>) {
        let name = match &attribute.name {
            JSXAttributeName::Identifier(name) => name.name.to_string(),
            JSXAttributeName::NamespacedName(name) => self.source(name.span).to_owned(),
        };
        let place = |is_expression| LiteralPlace::Attribute { name: &name, is_expression };
        match &attribute.value {
            Some(JSXAttributeValue::StringLiteral(text)) => self.report_string(text, place(false)),
            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                match container.expression.as_expression() {
                    Some(expression) => self.expression(expression, place(true)),
                    None => self.visit_jsx_expression_container(container),
                }
            }
            Some(value) => self.visit_jsx_attribute_value(value),
            None => {}
        }
    }

    // Directives, types and names of modules are no values.
    fn visit_directive(&mut self, _: &Directive<'a>) {}
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_enum_member_name(&mut self, _: &TSEnumMemberName<'a>) {}
    fn visit_ts_module_declaration(&mut self, module: &TSModuleDeclaration<'a>) {
        if let Some(body) = &module.body {
            self.visit_ts_module_declaration_body(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LiteralPlace, LiteralSyntax, ScriptPart, read_literals};

    /// Returns the parts of a text in words.
    fn parts(text: &str, syntax: LiteralSyntax) -> Option<Vec<String>> {
        let mut found = Vec::new();
        let is_read = read_literals(text, syntax, |part| {
            found.push(match part {
                ScriptPart::Literal { range, value, place, keys } => {
                    let place = match place {
                        LiteralPlace::Attribute { name, is_expression } => format!("{name} {is_expression}"),
                        place => format!("{place:?}"),
                    };
                    format!("{}={value} {place} {}", &text[range], keys.join("."))
                }
                ScriptPart::Tag { range, name } => format!("{} {}", &text[range], &text[name]),
                ScriptPart::Comment(range) => text[range].to_owned(),
            });
        });
        is_read.then_some(found)
    }

    #[test]
    fn reads_literals_with_their_places() {
        let script = "import 'm'; f({ a: ['\\x62', { c: (`d`) }] }, 'e'); // g\n<T h='i&amp;' j={'k'}/>";
        let expected = [
            "// g",
            "m=m Module ",
            "\\x62=b Item a",
            "d=d Property a.c",
            "e=e Other ",
            "<T h='i&amp;' j={'k'}/> T",
            "i&amp;=i&amp; h false ",
            "k=k j true ",
        ];
        assert_eq!(parts(script, LiteralSyntax::JavaScript).unwrap_or_default(), expected);
        let json = "// a\n{\"b\": [\"\\/c\",], }";
        let items = ["// a", "\\/c=/c Item b"];
        assert_eq!(parts(json, LiteralSyntax::Json).unwrap_or_default(), items);
    }

    #[test]
    fn the_deepest_scripts_fit_the_stack() {
        let nested =
            |open: &str, close: &str, depth| format!("{}'/x'{}", open.repeat(depth), close.repeat(depth));
        for depth in [1000, 2000, 3900, 13_000, 39_000] {
            for (open, close) in [
                ("[", "]"),
                ("({a:", "})"),
                ("(", ")"),
                ("a+", "+a"),
                ("a?", ":b"),
                ("a(", ")"),
                ("<A b={", "}/>"),
                ("<A>{", "}</A>"),
                ("!", ""),
                ("`${", "}`"),
                ("()=>", ""),
                ("a=", ""),
                ("", "[0]"),
                ("", ".a"),
                ("if(a)", ""),
                ("function f(){", "}"),
            ] {
                // Only an overflow of the stack would be a fault.
                parts(&nested(open, close, depth), LiteralSyntax::JavaScript);
                parts(&nested(open, close, depth), LiteralSyntax::Json);
            }
        }
    }

    #[test]
    fn texts_that_cannot_be_parsed_have_no_literals() {
        let deep = format!("{}'a'{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in ["a = {", "<A b='c'>", "'\\ud800' a", deep.as_str()] {
            assert_eq!(parts(text, LiteralSyntax::JavaScript), None);
        }
        assert_eq!(parts("a = '\\ud800'", LiteralSyntax::JavaScript), Some(Vec::new()));
        assert_eq!(parts("", LiteralSyntax::Json), None);
    }
}
