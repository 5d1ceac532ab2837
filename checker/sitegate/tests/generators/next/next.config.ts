import type { NextConfig } from "next";

const nextConfig: NextConfig = {
  output: "export",
  basePath: "/docs",
  trailingSlash: true,
};

export default nextConfig;
