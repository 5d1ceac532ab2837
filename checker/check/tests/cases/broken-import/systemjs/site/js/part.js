System.register("name",["./deep-gone.js"],function(){});
