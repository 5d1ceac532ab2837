import("./spare/catch.js").catch(() => {});
import("./spare/then-catch.js").then((m) => m.run()).catch(() => {});
import("./spare/second.js").then((m) => m.run(), () => {});
Promise.all([import("./spare/all.js"), import("./there.js")]).catch(() => {});
try { await import("./spare/try.js"); } catch {}
try { var value = (await import("./spare/member.js")).default; } catch {}
try { const { a, ...rest } = await import("./spare/taken-apart.js"); } catch (error) { report(error); }
try { await preload(() => import("./spare/wrapped.js"), []); } catch {}
try { await preload(async () => { const { a } = await import("./spare/vite.js"); return { a }; }, []); } catch {}
ready.then(() => { return import("./spare/returned.js"); }).catch(() => {});

import("./needed/plain.js");
import("./needed/finally.js").finally(() => {});
import("./needed/then.js").then((m) => m.run());
import("./needed/no-argument.js").catch();
try { import("./needed/not-awaited.js"); } catch {}
try { await import("./needed/no-handler.js"); } finally { done(); }
try { run(); } catch { await import("./needed/in-the-handler.js"); }
try { button.onclick = async () => { await import("./needed/later.js"); }; } catch {}
try { button.onclick = async () => await import("./needed/later-arrow.js"); } catch {}
(await import("./needed/its-own-promise.js")).run().catch(() => {});

try { new Worker("/spare/worker.js"); } catch {}
new Worker("/needed/worker.js");
navigator.serviceWorker.register("/needed/sw.js");
navigator.serviceWorker.register("/spare/sw.js").catch(() => {});
