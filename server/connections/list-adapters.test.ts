import { expect, it } from "vitest";
import { providerAdapters } from "./list-adapters.ts";

interface Field {
  title?: string;
  where?: string;
  properties?: Record<string, Field>;
}

const of = (name: string) => {
  const adapter = providerAdapters().find((each) => each.name === name);
  return {
    credentials: (adapter?.credentials as Field | undefined)?.properties ?? {},
    settings: (adapter?.settings as Field | undefined)?.properties ?? {},
  };
};

it.each(
  providerAdapters()
    .map(({ name }) => name)
    .filter((name) => !["simulator", "http"].includes(name)),
)("%s says in which place of the provider's console its credentials are found", (name) => {
  // What one makes up is found nowhere.
  const ours = ["callbackSecret", "bounceSecret", "dkimPrivateKey"];
  const found = Object.entries(of(name).credentials).filter(([field]) => !ours.includes(field));
  expect(found.length).toBeGreaterThan(0);
  for (const [field, { where }] of found) expect(where, field).toMatch(/^\S.* → \S/);
});

it("tells over the API, too, in which steps the form of any HTTP provider goes, and what is known of gateways", () => {
  const http = providerAdapters().find(({ name }) => name === "http")?.settings as {
    steps?: { title: string }[];
    presets?: { name: string; secrets: Record<string, string> }[];
  };
  expect(http.steps?.map(({ title }) => title)).toEqual([
    "Request",
    "Authentication",
    "Response",
    "Callbacks",
    "Test",
  ]);
  expect(http.presets?.map(({ name }) => name)).toEqual(["46elks", "Plivo", "Sinch", "Telnyx"]);
});
