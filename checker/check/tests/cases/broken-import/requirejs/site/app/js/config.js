require.config({ paths: { later: "lib/later" } }); define({});
