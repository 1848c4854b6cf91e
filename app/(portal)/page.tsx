import { redirect } from "next/navigation";
import { loadPortal } from "./portal-session.ts";

/** The bare address leads to the reader's own tenant. */
export default async function Home() {
  const { tenant } = await loadPortal();
  redirect(`/${tenant.slug}/overview`);
}
