// A site of two pages, gated.
import sitegate from 'sitegate/eleventy';

export default function (eleventyConfig) {
  eleventyConfig.addPlugin(sitegate);
  return { dir: { output: 'public' } };
}
