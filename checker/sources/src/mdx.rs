//! MDX: Markdown with JSX, expressions and imports.

mod comments;
mod jsx;
mod modules;

use std::ops::Range;

use markdown::mdast::{Definition as DefinitionNode, Node};
use markdown::{Constructs, ParseOptions, to_mdast};

use crate::markdown::definitions::{Definition, Definitions};
use crate::markdown::fragment::target_at;
use crate::markdown::{destination, raw_html, unread_matter_end};
use crate::{Manner, SourceReference, SourceScan, SourceTag, data};

/// Finds the references of MDX in a range of the text. Front matter is read if the range is the whole text. A text that
/// is no MDX has none.
pub(crate) fn scan<'t>(text: &'t str, range: Range<usize>, scan: &mut SourceScan<'t>) {
    let mut body = range;
    if body == (0..text.len()) {
        body.start = data::front_matter(text, scan);
        if body.start == 0 {
            body.start = unread_matter_end(text);
            scan.inert.push(0..body.start);
        }
    }
    let Some(root) = parse(&text[body.clone()]) else {
        scan.inert.push(body);
        return;
    };
    let mut reader = Reader {
        source: text,
        start: body.start,
        found: SourceScan::default(),
        definitions: Definitions::default(),
    };
    // Not by recursion, because nodes may be nested deeply.
    let mut open = vec![(root, false)];
    while let Some((mut node, is_in_link)) = open.pop() {
        let is_link = matches!(node, Node::Link(_) | Node::LinkReference(_));
        // The parser finds bare URLs in texts of links, too.
        let is_read = is_in_link && is_link || reader.read(&node);
        let children = node.children_mut().map(std::mem::take).unwrap_or_default();
        if is_read {
            open.extend(children.into_iter().map(|child| (child, is_in_link || is_link)));
        }
    }
    let mut found = reader.found;
    found.sort();
    reader.definitions.finish(text, &mut found);
    scan.references.append(&mut found.references);
    scan.inert.append(&mut found.inert);
    scan.tags.append(&mut found.tags);
}

/// Parses MDX, first as it is, then as Docusaurus reads it (with comments of HTML), then with formulas.
fn parse(text: &str) -> Option<Node> {
    let parse = |text: &str, has_math: bool| {
        let constructs = Constructs {
            gfm_autolink_literal: true,
            gfm_footnote_definition: true,
            gfm_label_start_footnote: true,
            gfm_strikethrough: true,
            gfm_table: true,
            gfm_task_list_item: true,
            math_flow: has_math,
            math_text: has_math,
            ..Constructs::mdx()
        };
        let options = ParseOptions {
            constructs,
            mdx_expression_parse: Some(Box::new(|text, _| modules::is_complete(text))),
            mdx_esm_parse: Some(Box::new(modules::is_complete)),
            ..ParseOptions::default()
        };
        to_mdast(text, &options).ok()
    };
    parse(text, false).or_else(|| {
        let without_comments = comments::without(text);
        parse(&without_comments, false).or_else(|| parse(&without_comments, true))
    })
}

/// Reads the nodes of a document.
struct Reader<'t> {
    source: &'t str,
    /// The offset of the parsed text in the source.
    start: usize,
    found: SourceScan<'t>,
    definitions: Definitions,
}

impl<'t> Reader<'t> {
    /// Reads a node, and returns whether its children are shown.
    fn read(&mut self, node: &Node) -> bool {
        let Some(range) = self.range(node) else { return true };
        match node {
            Node::Link(link) => {
                let written = &self.source[range.clone()];
                if written.starts_with('[') {
                    let content_end = link.children.last().and_then(|child| self.range(child));
                    let content_end = content_end.map_or(range.start + 1, |child| child.end);
                    self.add_found(
                        destination::inline(self.source, &range, content_end, &link.url),
                        &link.url,
                    );
                } else if ["", "http://", "mailto:"]
                    .iter()
                    .any(|scheme| link.url == format!("{scheme}{written}"))
                {
                    self.add(range, Manner::Link, &link.url);
                }
            }
            Node::Image(image) => {
                let found = destination::inline(self.source, &range, range.start + 2, &image.url);
                self.add_found(found, &image.url);
            }
            Node::LinkReference(link) => self.definitions.use_name(&link.identifier, range.start),
            Node::ImageReference(image) => self.definitions.use_name(&image.identifier, range.start),
            Node::Definition(definition) => self.define(definition, range),
            Node::InlineCode(_) | Node::Code(_) | Node::InlineMath(_) | Node::Math(_) => {
                self.found.inert.push(range)
            }
            Node::MdxFlowExpression(_) | Node::MdxTextExpression(_) => self.found.inert.push(range),
            Node::MdxjsEsm(_) => self.read_module(range),
            Node::MdxJsxFlowElement(element) => return self.read_element(range, element.name.as_deref()),
            Node::MdxJsxTextElement(element) => return self.read_element(range, element.name.as_deref()),
            _ => {}
        }
        true
    }

    fn range(&self, node: &Node) -> Option<Range<usize>> {
        let position = node.position()?;
        Some(self.start + position.start.offset..self.start + position.end.offset)
    }

    fn add_found(&mut self, range: Option<Range<usize>>, target: &str) {
        if let Some(range) = range {
            self.add(range, Manner::Link, target);
        }
    }

    fn add(&mut self, range: Range<usize>, manner: Manner, target: &str) {
        let target = target_at(self.source, &range, target);
        self.found.references.push(SourceReference { range, manner, target, uses: 1 });
    }

    fn define(&mut self, node: &DefinitionNode, span: Range<usize>) {
        if let Some(range) = destination::definition(self.source, &span, &node.url) {
            let (name, target) = (node.identifier.clone(), node.url.clone());
            self.definitions.define(Definition { name, span, range, target });
        }
    }

    /// Reads imports and exports: only the names of modules are references.
    fn read_module(&mut self, range: Range<usize>) {
        let mut start = range.start;
        for source in modules::sources(self.source, range.clone()) {
            self.found.inert.push(start..source.start);
            start = source.end;
            self.found.add(self.source, source, Manner::File);
        }
        self.found.inert.push(start..range.end);
    }

    /// Reads the tag of an element, and returns whether its content is shown.
    fn read_element(&mut self, range: Range<usize>, name: Option<&str>) -> bool {
        if name.is_some_and(|name| raw_html::RAW_ELEMENTS.contains(&name)) {
            self.found.inert.push(range);
            return false;
        }
        let Some(tag) = jsx::tag(self.source, range) else { return true };
        for attribute in tag.attributes {
            match attribute {
                jsx::Attribute::Reference { range, target } => self.add(range, Manner::Attribute, &target),
                jsx::Attribute::Expression(range) => self.found.inert.push(range),
            }
        }
        self.found.tags.push(SourceTag { range: tag.range, name: tag.name });
        true
    }
}
