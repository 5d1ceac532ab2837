var lunr = 1;
