import type { Metadata } from "next";
import { ContactPage } from "../../../../../components/contacts/contact-page.tsx";

export const metadata: Metadata = { title: "Contact" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <ContactPage id={id} />;
}
