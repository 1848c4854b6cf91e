import "@fontsource-variable/noto-emoji/wght.css";
import "./fonts.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppProviders } from "../components/layout/app-providers.tsx";
import { HydrationGate } from "../components/layout/hydration-gate.tsx";

/**
 * The letters of most pages, asked for with the page itself and used from its first paint on, or not at all on this page: lines of
 * another font that took other room would move what is below them. The other alphabets are in fonts.css.
 */
const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
  variable: "--font-inter",
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
  ],
});

export const metadata: Metadata = {
  title: { default: "Tidings", template: "%s · Tidings" },
  description: "SMS, e-mail and WhatsApp through one API",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  colorScheme: "light dark",
};

/**
 * A part of the page that waited for its data is shown as soon as it is there: React's own function for that (`$RC`) puts it off to
 * another moment, until 300 ms after the first paint, lest parts that follow one another flicker, and by then scripts are in its way.
 * Here one part follows, mostly in time for the first paint, and on a page like the others it is the one that counts.
 */
const showAtOnce =
  "{let r;Object.defineProperty(self,'$RC',{set(f){r=f},get:()=>r&&((...a)=>{r(...a);self.$RV&&self.$RB&&$RV($RB)})})}";

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" className={inter.variable} suppressHydrationWarning>
      <head>
        {/* The browser hides the nonce from scripts, so hydration would find another one. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showAtOnce }} />
      </head>
      <body>
        <AppProviders nonce={nonce}>
          <HydrationGate>{children}</HydrationGate>
        </AppProviders>
      </body>
    </html>
  );
}
