//! Scans of Python: docstrings, documentation comments and settings.

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

#[track_caller]
fn links(text: &str) -> String {
    found("a.py", text).iter().filter_map(|found| found.strip_prefix("Link ")).collect::<Vec<_>>().join(" ")
}

#[test]
fn finds_links_of_docstrings() {
    let cases = [
        ("# c\n\n\"\"\"Doc `a <b>`_\"\"\"\n", "b"),
        ("'''Doc\n\n   `a <b>`_\n'''", "b"),
        ("def f():\n    r'''`a <b>`_'''\n", "b"),
        ("async def f(a: int = 1,\n      b=lambda: 2) -> dict[str, int]:  # c\n    '''`a <b>`_'''\n", "b"),
        ("class A(B):\n\n    # c\n    u\"\"\"`a <b>`_\"\"\"\n", "b"),
        ("class A: \"`a <b>`_\"", "b"),
        ("class A:\n    def f(self):\n        '''`a <b>`_'''\n", "b"),
        ("if x:\n    def f():\n        '''`a <b>`_'''\n", "b"),
        ("x = 1\n'''`a <b>`_'''\n", "b"),
        ("x: int = 1\n'''`a <b>`_'''\n", "b"),
        ("class A:\n    x = 1\n    '''`a <b>`_'''\n", "b"),
        ("class A:\n    def __init__(self):\n        self.x = 1\n        '''`a <b>`_'''\n", "b"),
        ("class A:\n    #: `a <b>`_\n    #: `c <d>`_\n    x = 1  #: `e <f>`_\n", "b d f"),
        // Sections of Google and NumPy are no literal blocks, but those below two colons are.
        (
            "def f():\n    '''F\n\n    Args:\n        x: See `a <b>`_\n            more `c <d>`_\n    '''\n",
            "b d",
        ),
        (
            "def f():\n    '''F\n\n    Parameters\n    ----------\n    x : int\n        `a <b>`_\n    '''\n",
            "b",
        ),
        ("def f():\n    '''F::\n\n        `a <b>`_\n\n    `c <d>`_\n    '''\n", "d"),
        ("def f():\n    '''F\n\n    >>> `a <b>`_\n    '''\n", ""),
        // Escapes of the string are not those of the text.
        ("'''\\\\ `a <b>`_ \\n'''", "b"),
        ("'''\\x60a <b>`_'''", "b"),
        ("'''`a <b\\x2fc>`_ `d <e>`_'''", "e"),
        ("'''`a <b\\\nc>`_ `d <e>`_'''", "e"),
        ("'''`a\\n<b>`_'''", "b"),
    ];
    for (text, expected) in cases {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn finds_no_links_in_other_strings() {
    for text in [
        "x = '''`a <b>`_'''",
        "f('''`a <b>`_''')",
        "import x\n'''`a <b>`_'''",
        "'''doc'''\n'''`a <b>`_'''",
        "f'''`a <b>`_'''",
        "b'''`a <b>`_'''",
        "'''`a <b>`_''' % x",
        "'''x''' '''`a <b>`_'''",
        "def f():\n    x = 1\n    '''`a <b>`_'''\n",
        "def f():\n    def g():\n        '''`a <b>`_'''\n",
        "def f():\n    #: `a <b>`_\n    x = 1\n",
        "#: `a <b>`_\nimport x\n",
        "# `a <b>`_\nx = 1\n",
        "return '''`a <b>`_'''",
        "'''`a <b>`_",
        "x = {'a': '''`a <b>`_'''}",
    ] {
        assert_eq!(links(text), "", "{text}");
    }
}

#[test]
fn survives_old_and_broken_code() {
    assert_eq!(links("print \"x\", `y`\ndef f(:\n    '''`a <b>`_'''\n"), "");
    assert_eq!(links("x = 'open\n'''a'''\nclass A:\n    '''`a <b>`_'''\n"), "b");
    assert_eq!(links("x = f\"{y[\"a\"]}\"\nclass A:\n    '''`a <b>`_'''\n"), "b");
    assert_eq!(
        links("x = f'{{' + \"}\" \\\n  'y'\nclass A:\r\n    '''`a <b>`_\r\n    `c <d>`_'''\r\n"),
        "b d"
    );
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
