new URL("images/script-gone.png", document.currentScript.src);
new URL("images/b.png", document.currentScript.src);
