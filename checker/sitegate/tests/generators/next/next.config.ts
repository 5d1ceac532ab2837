import type { NextConfig } from "next";

const harbour: NextConfig = {
  output: "export",
  basePath: "/docs",
  trailingSlash: true,
};

export default harbour;
