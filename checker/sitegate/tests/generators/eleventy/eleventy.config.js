import { feedPlugin } from "@11ty/eleventy-plugin-rss";

/** @param {import("@11ty/eleventy").UserConfig} eleventyConfig */
export default async function(eleventyConfig) {
	eleventyConfig.addPassthroughCopy({ "./public/": "/" });
	eleventyConfig.addPlugin(feedPlugin, { type: "atom" });
};

export const config = {
	templateFormats: ["md", "njk", "html", "liquid", "11ty.js"],
	dir: {
		input: "content",
		includes: "../_includes",
		output: "_out"
	},
	pathPrefix: "/blog/",
};
