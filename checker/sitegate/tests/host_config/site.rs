//! Creates a small site with a contract that sets headers.

use crate::folders::{sitegate, write};

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

pub fn site(slash: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("export");
    write(&root, "index.html", "<!doctype html><title>Home</title>");
    write(&root, "terms/index.html", "<!doctype html><title>Terms</title>");
    write(&root, "404.html", "<!doctype html><title>Lost</title>");
    write(&root, "assets/app.js", "let x;");
    write(&root, "logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let config = format!("[site]\nroot = \"export\"\ntrailing-slash = \"{slash}\"\n{HEADERS}");
    write(folder.path(), "sitegate.toml", &config);
    let output = sitegate(folder.path(), &["check", "--seal", "seal.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    folder
}
