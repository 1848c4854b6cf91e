import type { Metadata } from "next";
import { AccountPage } from "../../../../components/access/account-page.tsx";

export const metadata: Metadata = { title: "Sessions and sign-in" };

export default function Page() {
  return <AccountPage />;
}
