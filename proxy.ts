import { NextResponse, type NextRequest } from "next/server";

/**
 * Content security policy for pages.
 *
 * Scripts run only with the nonce of this very request; Next reads the nonce from the request header
 * and puts it on its own tags. Styles may be inline because Radix and Recharts position elements with
 * style attributes. Message previews are drawn in sandboxed `srcdoc` frames, which inherit this policy,
 * so mail images from other hosts need `https:` in img-src.
 *
 * This is presentation only: nothing here decides who may see what.
 */
export function proxy(request: NextRequest) {
  const nonce = btoa(crypto.randomUUID());
  // eslint-disable-next-line no-restricted-syntax -- Next replaces it while building; there is nothing to read at run time
  const development = process.env.NODE_ENV === "development";
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // Layouts do not know their own address; the sign-in page needs it to lead back.
  headers.set("x-portal-path", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

/**
 * Pages only, prefetched ones too: the API, provider callbacks, short links, the API explorer and files never pass through
 * here and have policies of their own. Whole segments: an organisation may be called `docs-team` or `v1x`.
 */
export const config = {
  matcher: [
    "/((?!(?:api|console/api|v1|l|status|docs|_next)/|(?:docs|mcp|llms\\.txt|healthz|readyz|icon\\.svg|favicon\\.ico)$).*)",
  ],
};
