import type { Metadata } from "next";
import { AcceptInvitation } from "../../components/access/accept-invitation.tsx";
import { SignInScene } from "../../components/access/sign-in-scene.tsx";
import { Wordmark } from "../../components/layout/logo.tsx";

export const metadata: Metadata = { title: "Invitation" };

/** Where the link of an invitation leads; its token stands after the sign, which only the browser sees. */
export default function InvitationPage() {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <main className="flex flex-col px-6 py-8 sm:px-10">
        <Wordmark />
        <div className="mx-auto flex w-full max-w-88 flex-1 flex-col justify-center py-12">
          <AcceptInvitation />
        </div>
      </main>
      <SignInScene />
    </div>
  );
}
