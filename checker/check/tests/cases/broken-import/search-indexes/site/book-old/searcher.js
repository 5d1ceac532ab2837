fetch(path_to_root + "searchindex.json").then(load).catch(() => { var script = document.createElement("script"); script.src = path_to_root + "searchindex.js"; });
