"use client";

import { KeyRound } from "lucide-react";
import { signIn } from "next-auth/react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "../ui/button.tsx";

/** A little less than a challenge counts, in ms. */
const renewMs = 4 * 60_000;

const never = () => () => undefined;
/** Whether this browser knows passkeys; where a page is not secure it does not. */
const useSupport = () =>
  useSyncExternalStore(
    never,
    () => "PublicKeyCredential" in window,
    () => false,
  );

/** What the person did, or did not, as the authenticator's window says it. */
const isNothing = (error: unknown) =>
  error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");

/**
 * The button that signs in with a passkey. Browsers that can also offer passkeys while the e-mail address is typed. What that
 * takes is loaded when the page stands.
 */
export function PasskeySignIn({
  possible,
  busy,
  target,
  onFailure,
}: {
  /** Whether there are passkeys at the address of this installation. */
  possible: boolean;
  busy: boolean;
  /** Where the person wanted to go. */
  target: string;
  onFailure: (code: string | undefined) => void;
}) {
  const supported = useSupport() && possible;
  const [pending, setPending] = useState(false);
  const latest = useRef({ target, onFailure });
  useEffect(() => {
    latest.current = { target, onFailure };
  });

  useEffect(() => {
    if (!supported || pending || busy) return;
    const life = new AbortController();
    const isOver = () => life.signal.aborted;
    let timer: number | undefined;
    const offer = async () => {
      const { browserSupportsWebAuthnAutofill, WebAuthnAbortService } =
        await import("@simplewebauthn/browser");
      if (isOver() || !(await browserSupportsWebAuthnAutofill())) return;
      timer = window.setTimeout(() => {
        WebAuthnAbortService.cancelCeremony();
        void offer().catch(() => undefined);
      }, renewMs);
      const answer = await askPasskey(true);
      if (isOver()) return;
      window.clearTimeout(timer);
      await finish(answer, latest.current);
    };
    // Nobody has asked for it: what fails here, the button and the password still do.
    void offer().catch(() => undefined);
    return () => {
      life.abort();
      window.clearTimeout(timer);
    };
  }, [supported, pending, busy]);

  if (!supported) return null;

  async function withButton() {
    setPending(true);
    onFailure(undefined);
    try {
      // It stays busy until the page is gone: a passkey that is offered meanwhile would begin a second session and end this one.
      if (await finish(await askPasskey(false), { target, onFailure })) return;
    } catch (error) {
      if (!isNothing(error)) onFailure(error instanceof Refused ? error.code : "unknown");
    }
    setPending(false);
  }
  return (
    <Button size="lg" pending={pending} disabled={busy} onClick={() => void withButton()}>
      <KeyRound aria-hidden /> Sign in with a passkey
    </Button>
  );
}

class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

async function askPasskey(autofill: boolean): Promise<unknown> {
  const response = await fetch("/api/passkey", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  if (!response.ok) throw new Refused("unknown");
  const { startAuthentication } = await import("@simplewebauthn/browser");
  type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  return startAuthentication({
    optionsJSON: (await response.json()) as Options,
    useBrowserAutofill: autofill,
  });
}

/** Whether it let them in. */
async function finish(
  answer: unknown,
  { target, onFailure }: { target: string; onFailure: (code: string | undefined) => void },
): Promise<boolean> {
  const result = await signIn("passkey", { answer: JSON.stringify(answer), redirect: false });
  if (result?.ok && !result.error) {
    // A full load: the server has to see the new session before anything is drawn.
    window.location.assign(target);
    return true;
  }
  const code = result?.error ?? "unknown";
  onFailure(code === "sign_in_failed" || code === "CredentialsSignin" ? "passkey_failed" : code);
  return false;
}
