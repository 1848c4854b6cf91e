import "@fontsource-variable/inter/opsz.css";
import "@fontsource-variable/noto-emoji/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppProviders } from "../components/layout/app-providers.tsx";
import { HydrationGate } from "../components/layout/hydration-gate.tsx";

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
    <html lang="en" suppressHydrationWarning>
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
