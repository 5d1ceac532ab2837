var requirejs, require, define;
(function () { define.amd = { jQuery: true }; function load(url) { importScripts(url); } })();
