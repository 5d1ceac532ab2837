typeSearchIndex = [];
