"use client";

import { useEffect, useState } from "react";
import { postForm } from "../onboarding/post-form.ts";
import { Button } from "../ui/button.tsx";

type Provider = { id: string; name: string };

/** The part of an address after the @, once it looks whole. */
function domainOf(email: string): string | null {
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
  return email.includes("@") && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z0-9-]{2,}$/.test(domain) ? domain : null;
}

/**
 * Offers the identity providers of the organisation that has proven the domain of what is typed. Only the domain is sent, so the
 * answer says nothing of the person.
 */
export function SsoOffer({
  email,
  target,
  onRefused,
}: {
  email: string;
  target: string;
  onRefused: (code: string) => void;
}) {
  const domain = domainOf(email);
  const [found, setFound] = useState<{ domain: string; providers: Provider[] } | null>(null);
  const [leaving, setLeaving] = useState<string | null>(null);
  useEffect(() => {
    if (domain === null) return;
    let left = false;
    const timer = setTimeout(() => {
      void postForm<{ data: Provider[] }>("/api/sso/find", { domain }).then((answer) => {
        if (!left) setFound({ domain, providers: "done" in answer ? answer.done.data : [] });
      });
    }, 250);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [domain]);

  async function leave(provider: string) {
    setLeaving(provider);
    const answer = await postForm<{ url: string } | { refused: string }>("/api/sso/start", {
      domain,
      provider,
      email: email.trim(),
      target,
    });
    if ("done" in answer && "url" in answer.done) {
      window.location.assign(answer.done.url);
      return;
    }
    setLeaving(null);
    onRefused("done" in answer && "refused" in answer.done ? answer.done.refused : "sso_busy");
  }

  const providers = found?.domain === domain ? found.providers : [];
  if (providers.length === 0) return null;
  return (
    <div role="group" aria-label="Single sign-on" className="grid min-w-0 grid-cols-1 gap-2">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="lg"
          pending={leaving === id}
          disabled={leaving !== null}
          onClick={() => void leave(id)}
        >
          <span className="truncate">Continue with {name}</span>
        </Button>
      ))}
    </div>
  );
}
