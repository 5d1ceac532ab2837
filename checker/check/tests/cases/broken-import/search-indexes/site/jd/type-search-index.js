typeSearchIndex = [];updateSearchResults();
