"use client";

import { UserRoundX } from "lucide-react";
import { signOut } from "../access/sign-out.ts";
import { Button } from "../ui/button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { named } from "../ui/isolated.ts";

/** For somebody who can sign in but was given no role. */
export function NoRole({ name, tenant }: { name: string; tenant: string }) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <NothingYet
        icon={UserRoundX}
        title={`${named(name)}, you have no role yet`}
        action={<Button onClick={() => void signOut()}>Sign out</Button>}
      >
        Ask an administrator of {tenant} to assign you one.
      </NothingYet>
    </main>
  );
}
