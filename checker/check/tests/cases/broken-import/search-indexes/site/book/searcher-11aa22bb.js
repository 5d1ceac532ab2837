function loadScript(u,id){} function go(){loadScript(window.path_to_searchindex_js || path_to_root + "searchindex-0123abcd.js", "mdbook-search-index")}
