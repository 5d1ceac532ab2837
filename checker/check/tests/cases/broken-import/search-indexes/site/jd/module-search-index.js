moduleSearchIndex = [];updateSearchResults();
