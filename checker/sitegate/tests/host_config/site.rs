//! Creates a small site with a contract that sets headers.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HEADERS: &str = "
[[headers]]
paths = [\"/**\"]
set = { Content-Security-Policy = \"default-src 'none'\", X-Robots-Tag = \"all\", X-Odd = '$uri ${uri} $$ \\ \" ; { } # %{x}e' }
[[headers]]
paths = [\"/assets/*.js\", \"/fonts/**\"]
set = { Cache-Control = \"public, max-age=31536000, immutable\", X-Robots-Tag = \"none\" }
[[redirects]]
from = \"/old/terms\"
to = \"/terms\"
[[redirects]]
from = \"/blog\"
to = \"https://blog.example.com/?a=1&b=2\"
";

pub fn write_file(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

pub fn sitegate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sitegate")).args(args).current_dir(folder).output().unwrap()
}

pub fn site(slash: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("export");
    write_file(&root, "index.html", "<!doctype html><title>Home</title>");
    write_file(&root, "terms/index.html", "<!doctype html><title>Terms</title>");
    write_file(&root, "404.html", "<!doctype html><title>Lost</title>");
    write_file(&root, "assets/app.js", "let x;");
    write_file(&root, "logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let config = format!("[site]\nroot = \"export\"\ntrailing-slash = \"{slash}\"\n{HEADERS}");
    write_file(folder.path(), "sitegate.toml", &config);
    let output = sitegate(folder.path(), &["check", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    folder
}
