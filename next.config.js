/**
 * Build and delivery settings of the web process.
 *
 * The content security policy of pages carries a nonce per request and is therefore set in proxy.ts;
 * what is here holds for every answer, including files and JSON.
 */

const everyAnswer = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "X-DNS-Prefetch-Control", value: "off" },
  {
    key: "Permissions-Policy",
    value: "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  },
  // Browsers ignore this header over plain HTTP, so the loopback quickstart is not affected.
  { key: "Strict-Transport-Security", value: "max-age=31536000; includeSubDomains" },
];

/** @type {import("next").NextConfig} */
const nextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  agentRules: false,
  devIndicators: false,
  // These are loaded by Node itself: native code, worker threads, or modules that must exist only once.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "graphile-worker",
    "mjml",
    "nodemailer",
    "pg",
    "pino",
    "prom-client",
    "undici",
  ],
  // `npm run typecheck` checks types, once for everything; a build at first start need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  headers: () => Promise.resolve([{ source: "/:path*", headers: everyAnswer }]),
};

export default nextConfig;
