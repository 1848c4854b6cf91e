import type { Metadata } from "next";
import { plainAction, PlainPage } from "../components/layout/plain-page.tsx";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <PlainPage
      title="Page not found"
      action={
        <a href="/" className={plainAction}>
          Go to the portal
        </a>
      }
    >
      It may have moved, or you don't have access to it.
    </PlainPage>
  );
}
