import tides from "./tides.js";

export default async function(harbour) {
	harbour.addPlugin(tides, { output: "of-a-plugin" });
	harbour.addCollection("piers", (all) => all.getAll());
};

export const config = {
	dir: {
		input: "pages",
		output: "_out"
	},
	pathPrefix: "/blog/",
};
