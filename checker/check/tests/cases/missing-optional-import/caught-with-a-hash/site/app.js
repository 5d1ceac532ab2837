import("./assets/slide-B3x_9kQz.js").catch(() => {});
try { await import("./chunk.073c9b0a.js"); } catch {}
try { new Worker("/worker-B3x_9kQz.js"); } catch {}
navigator.serviceWorker.register("/sw.4f2a9c01.js").catch(() => {});
import("./settings-extended.js").catch(() => {});
import("./2024-11-23.js").catch(() => {});
import("./version-1.2.3.js").catch(() => {});
