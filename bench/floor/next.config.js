import path from "node:path";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  agentRules: false,
  // The packages are the product's own.
  turbopack: { root: path.resolve(import.meta.dirname, "../..") },
  serverExternalPackages: ["pg"],
  typescript: { ignoreBuildErrors: true },
};
