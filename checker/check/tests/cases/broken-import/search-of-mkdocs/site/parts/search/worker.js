var base_path = 'function' === typeof importScripts ? '.' : '/search/';
function onJSONLoaded () {
  var scriptsToLoad = ['lunr.js'];
  scriptsToLoad.push(['lunr', lang, 'js'].join('.'));
  importScripts.apply(null, scriptsToLoad);
}
function init () {
  var index_path = base_path + '/search_index.json';
  if( 'function' === typeof importScripts ){
      index_path = 'search_index.json';
  }
  oReq.open("GET", index_path);
}
