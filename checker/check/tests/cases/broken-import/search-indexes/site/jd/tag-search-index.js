tagSearchIndex = [];updateSearchResults();
