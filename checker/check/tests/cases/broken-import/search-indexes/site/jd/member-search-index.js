memberSearchIndex = [];updateSearchResults();
