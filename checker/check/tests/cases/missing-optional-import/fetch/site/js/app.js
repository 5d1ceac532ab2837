fetch("data.json");
fetch("data-there.json");
fetch("/gone.json?v=1");
window.fetch(`/gone.svg`);
fetch("/api/users");
fetch("/api/save.json", { method: "POST" });
fetch("https://api.example/x.json");
fetch(`/api/${name}.json`);
client.fetch("/not-a-fetch.json");
