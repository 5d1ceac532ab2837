navigator.serviceWorker.register("/js/sw.js", { scope: "/app/" });
