"use client";

import type { ReactNode } from "react";
import { updateBrandingSchema } from "../../server/workspace/schemas.ts";
import type { Logo } from "../../server/workspace/vocabulary.ts";
import { brandMarkOf } from "../../server/workspace/vocabulary.ts";
import { OrganisationMark, SupportLink, brandedButton } from "../layout/organisation-mark.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import type { TypedBranding } from "./branding-form.tsx";

/** What can be taken of what is typed. */
function readTyped(chosen: TypedBranding) {
  const { shape } = updateBrandingSchema;
  const accent = shape.accent.safeParse(chosen.accent.trim()).data ?? null;
  const senderName = shape.senderName.safeParse(chosen.senderName).data ?? null;
  const support = shape.support.safeParse(chosen.support).data ?? null;
  return { accent, senderName, support };
}

/** What people will see, while it is being typed. */
export function BrandingPreview({ logo, chosen }: { logo: Logo | null; chosen: TypedBranding }) {
  const { tenant } = usePortal();
  const { accent, senderName, support } = readTyped(chosen);
  const brand = brandMarkOf({ logo, accent, senderName, support });
  return (
    <Card>
      <CardHeader title="Preview" description="Includes unsaved changes." />
      <div className="grid gap-4 px-4 pb-4 lg:grid-cols-2">
        <Scene title="E-mail to a member">
          <div className="rounded-md bg-[#f4f4f2] p-4 text-[#1d1d1b]">
            <div className="mb-3 text-sm font-semibold text-[#5b5b57]">
              {brand.logo === null ? (
                tenant.name
              ) : (
                <img
                  src={brand.logo}
                  alt={tenant.name}
                  className="max-h-12 max-w-full object-contain object-left"
                />
              )}
            </div>
            <div className="rounded-lg bg-[#ffffff] p-4 text-sm">
              <p className="mb-2 text-lg leading-tight font-semibold break-words">Join {tenant.name}</p>
              <p className="mb-3">Hello Mia,</p>
              <span
                className="inline-block rounded-md bg-[#1d1d1b] px-3.5 py-2 text-[#ffffff]"
                style={brandedButton(brand)}
              >
                Accept invitation
              </span>
            </div>
            <p className="mt-3 text-xs break-words text-[#6b6b64]">
              Sent by {senderName ?? tenant.name} through Tidings.
              {support === null ? null : (
                <>
                  {" "}
                  Questions? <SupportLink support={support} />
                </>
              )}
            </p>
          </div>
        </Scene>
        <div className="grid content-start gap-4">
          <Scene title="Invitation page">
            <div className="rounded-md border border-line bg-canvas p-4">
              {brand.logo === null && brand.accent === null ? null : (
                <OrganisationMark name={tenant.name} brand={brand} size="large" />
              )}
              <p className="mt-3 mb-3 text-lg leading-tight font-semibold break-words">Join {tenant.name}</p>
              <span
                className="inline-block max-w-full truncate rounded-md bg-accent px-3.5 py-2 text-sm font-medium text-accent-ink"
                style={brandedButton(brand)}
              >
                Join {tenant.name}
              </span>
              {support === null ? null : (
                <p className="mt-2 text-xs text-ink-muted">
                  Questions? <SupportLink support={support} />
                </p>
              )}
            </div>
          </Scene>
          <Scene title="Portal navigation">
            <div className="flex items-center gap-2.5 rounded-md border border-line bg-sunken p-3">
              <OrganisationMark name={tenant.name} brand={brand} />
              <span className="min-w-0 truncate font-semibold tracking-tight">{tenant.name}</span>
            </div>
          </Scene>
        </div>
      </div>
    </Card>
  );
}

function Scene({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 text-xs font-medium text-ink-muted">{title}</figcaption>
      {children}
    </figure>
  );
}
