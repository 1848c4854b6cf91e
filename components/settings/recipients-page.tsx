"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { ErasureList } from "./erasure-list.tsx";
import { RecipientHoldings } from "./recipient-holdings.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { Form } from "../ui/form.tsx";

/** What is held about somebody who asks, to hand out or to erase. */
export function RecipientsPage() {
  const trpc = useTRPC();
  const [typed, setTyped] = useState("");
  const [address, setAddress] = useState<string | null>(null);
  const found = useQuery(
    trpc.privacy.find.queryOptions(
      { address: address ?? "" },
      { enabled: address !== null, retry: false, gcTime: 0 },
    ),
  );
  const problem = found.isError && !found.data ? errorText(found.error) : undefined;
  return (
    <>
      <SettingsHeader path="/recipients" />
      <div className="grid grid-cols-1 gap-4">
        <Card>
          <CardHeader
            title="Find a recipient"
            description="By e-mail address, number with country code or WhatsApp user ID, across all teams, environments and channels"
          />
          <Form
            className="flex flex-wrap items-end gap-2 px-4 pb-4"
            onSubmit={() => {
              const wanted = typed.trim();
              // The same once more: after a failure, or to see what there is now.
              if (wanted === address) void found.refetch();
              else if (wanted !== "") setAddress(wanted);
            }}
          >
            <Field label="Address" className="max-w-md flex-1 basis-64" error={problem}>
              {(control) => (
                <Input
                  {...control}
                  value={typed}
                  onChange={(event) => {
                    setTyped(event.target.value);
                    setAddress(null);
                  }}
                  placeholder="ada@example.com or +4915112345678"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
            <Button
              type="submit"
              variant="primary"
              pending={found.isFetching}
              className={problem ? "mb-6" : ""}
            >
              Search
            </Button>
          </Form>
          {address !== null && found.data ? (
            <RecipientHoldings
              holdings={found.data}
              onErased={() => {
                setTyped("");
                setAddress(null);
              }}
            />
          ) : null}
        </Card>
        <ErasureList />
      </div>
    </>
  );
}
