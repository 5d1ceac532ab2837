require.config({ baseUrl: window.root + "/js" }); require(["anything"])
