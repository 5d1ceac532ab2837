System.register([],function(){});
