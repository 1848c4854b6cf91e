import type { Metadata } from "next";
import { SignInPage } from "../../../../../components/settings/sign-in-page.tsx";

export const metadata: Metadata = { title: "Sign-in" };

export default function Page() {
  return <SignInPage />;
}
