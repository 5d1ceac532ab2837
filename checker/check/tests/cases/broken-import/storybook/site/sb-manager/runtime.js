const { PREVIEW_URL: preview } = globalThis;
export const frame = (id, ref) => (ref ? `${ref.url}/iframe.html` : preview || "iframe.html") + "?id=" + id;
export const copy = (id) => location.origin + (preview || "iframe.html") + "?id=" + id;
