var requirejs, require, define; (function () { define.amd = {}; })(); import(name);
