//! Prints the elements of pages that a selector matches: `cargo run --example select -- 'ul > li' page.html`.

use std::io::{Write as _, stdout};
use std::process::ExitCode;

use sitegate_html::selectors::{Selector, select};
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tree::{Tree, TreeOptions};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let selector = Selector::parse(&arguments.next().ok_or("usage: select SELECTOR FILE…")?)?;
    let mut is_found = false;
    for file in arguments {
        let text = std::fs::read(&file)?;
        let tree = Tree::build(
            &text,
            TreeOptions { syntax: PageSyntax::Html, runs_scripts: true, keeps_text: true },
        )?;
        for (_, element) in select(&tree, &[&selector]) {
            is_found = true;
            let tag = &text[tree.tag(element)];
            let shown: String = tree.element_text(element).split_whitespace().collect::<Vec<_>>().join(" ");
            writeln!(stdout(), "{file}: {} {shown}", String::from_utf8_lossy(tag))?;
        }
    }
    Ok(ExitCode::from(u8::from(!is_found)))
}
