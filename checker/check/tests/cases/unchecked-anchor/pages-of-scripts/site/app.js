addEventListener("hashchange", () => show(window.location.hash.slice(1)));
