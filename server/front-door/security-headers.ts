/** Headers of every answer, including files and JSON. Read by next.config.js as well, so it imports nothing. */
export const commonHeaders: readonly { key: string; value: string }[] = [
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

/** The content security policy of answers other than pages: nothing runs, nothing is loaded, nobody frames them. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The same for files of the portal: workers load their own parts. */
export const filePolicy =
  "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'";
