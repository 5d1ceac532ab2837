//! Scans of Python: settings and the default role. `contexts/python.txt` has docstrings and documentation comments.

#![allow(clippy::unwrap_used, reason = "tests")]

use sitegate_sources::{Manner, SourceOptions, scan};

/// Returns the references of a module, each as its manner and target.
#[track_caller]
fn found(path: &str, text: &str) -> Vec<String> {
    let found = scan(path, text, SourceOptions::default());
    for reference in &found.references {
        assert_eq!(text[reference.range.clone()], *reference.target, "{text}");
    }
    found.references.iter().map(|found| format!("{:?} {}", found.manner, found.target)).collect()
}

#[test]
fn finds_values_of_settings() {
    let text = "html_logo = '_static/x.png'\nhtml_favicon = base + '/y.ico'\nproject = 'a.b'\nhtml_css_files = [\n  'a.css', # b.css\n  \
                'c' 'd.css', f'{e}.css', r'f/g.css',\n]\nlinks = (('A', 'https://e.org/'), ('B', 'b.html'),)\n\
                extensions = ['sphinx.ext.todo']\nexclude = ['_build/*']\nredirects = {'old/a': 'new/b.html'}\n\
                path = os.path.join('a/b', 'c.html')\nif x == 'd/e': pass\n";
    let expected = [
        "Value _static/x.png",
        "Value a.css",
        "Value f/g.css",
        "Value https://e.org/",
        "Value b.html",
        "Value new/b.html",
        "Text a/b",
        "Text c.html",
    ];
    assert_eq!(found("docs/conf.py", text), expected);
    assert_eq!(found("a.py", "LOGO = '_static/x.png'\n"), ["Text _static/x.png"]);
}

#[test]
fn follows_the_default_role() {
    let text = "'''See `a` and ``b`` and `c <d>`.'''\n";
    let found = scan("a.py", text, SourceOptions { default_role: true });
    let targets: Vec<_> = found.references.iter().map(|found| (found.manner, &*found.target)).collect();
    assert_eq!(targets, [(Manner::Document, "a"), (Manner::Document, "d")]);
}
