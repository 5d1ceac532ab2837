jQuery.fn.plugin = 1;
