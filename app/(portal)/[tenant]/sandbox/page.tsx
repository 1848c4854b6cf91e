import type { Metadata } from "next";
import { SandboxPage } from "../../../../components/sandbox/sandbox-page.tsx";

export const metadata: Metadata = { title: "Sandbox inbox" };

export default function Page() {
  return <SandboxPage />;
}
