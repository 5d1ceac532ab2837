if (document.location.hostname === "docs.example.com" || location.hostname === "docs.local") {
  const link = createElem("link", { href: "/assets/only-there.png", rel: "icon" });
  import("/only-there.js");
}
if (location.hostname !== "localhost") {
  import("/everywhere.js");
}
if (location.hostname === "localhost") {
  import("/only-here.js");
} else {
  import("/elsewhere.js");
}
