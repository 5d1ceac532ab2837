function joinUrl (base, path) { return base + "/" + path; }
if (!window.Worker) {
  $.getScript(joinUrl(base_url, "search/worker.js")).done(function () { init(); });
} else {
  var searchWorker = new Worker(joinUrl(base_url, "search/worker.js"));
  var other = new Worker(joinUrl(base, "other.js"));
}
