/**
 * Build and delivery settings of the portal.
 *
 * The content security policy of pages carries a nonce per request and is therefore set in proxy.ts; what is here holds
 * for every answer, including files and JSON. The front door sets the same where Next does not.
 */
import { dataPolicy, commonHeaders, filePolicy } from "./server/front-door/security-headers.ts";

/** @param {string} value */
const policy = (value) => [{ key: "Content-Security-Policy", value }];

/** Leads every path that is not the portal's to the one route file of our handlers, which sees the address as it was asked for. */
export const rewrites = () =>
  Promise.resolve({
    beforeFiles: [
      { source: "/:root(v1|mcp|scim|l|status|healthz|readyz)/:path*", destination: "/api/app/:root/:path*" },
      { source: "/llms.txt", destination: "/api/app/llms.txt" },
      { source: "/api/callbacks/:path*", destination: "/api/app/callbacks/:path*" },
    ],
  });

/** @type {import("next").NextConfig} */
const nextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  agentRules: false,
  devIndicators: false,
  // These are loaded by Node itself: native code, worker threads, or modules that must exist only once.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@opentelemetry/exporter-trace-otlp-proto",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
    "graphile-worker",
    "mjml",
    "nodemailer",
    "openai",
    "pg",
    "pino",
    "prom-client",
    "undici",
  ],
  // `npm run typecheck` checks types, once for everything; a build at first start need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // A page is 13 to 16 scripts instead of 23 to 27 and a twentieth smaller, since they pack better together. Whoever walks through ten
  // pages loads a tenth more, in a third fewer requests. The first is in bytes of source.
  experimental: { turbopackChunking: { minChunkSize: 150_000, maxChunkCountPerGroup: 6 } },
  turbopack: { root: import.meta.dirname },
  // Nobody needs the optimizer, and it writes what it is asked for into the log.
  images: { unoptimized: true },
  rewrites,
  headers: () =>
    Promise.resolve([
      { source: "/:path*", headers: [...commonHeaders] },
      // What proxy.ts leaves out and what sets no policy itself.
      { source: "/:first(api|v1|mcp|scim|healthz|readyz)/:path*", headers: policy(dataPolicy) },
      { source: "/console/api/:path*", headers: policy(dataPolicy) },
      { source: "/_next/:path*", headers: policy(filePolicy) },
    ]),
};

export default nextConfig;
