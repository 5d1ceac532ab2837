packageSearchIndex = [];updateSearchResults();
