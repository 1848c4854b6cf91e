/** The facts about providers that the suites check requests against, held against the providers' own descriptions. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contracts } from "./contracts.ts";
import { basic, form, misfits } from "./contract.ts";
import type { Contract, Operation } from "./contract.ts";
import { driftBetween } from "./drift.ts";
import type { Schema } from "./drift.ts";
import { openaiContract } from "./openai.ts";
import { officialBody, officialServer } from "./official.ts";
import type { OfficialServer } from "./official.ts";

type Described = Pick<Operation, "path" | "body" | "official"> & {
  provider: string;
  contract: Contract;
  judgeNonsense: (server: OfficialServer) => Promise<number | null>;
};

const described = Object.entries({ ...contracts, openai: openaiContract }).flatMap(
  ([provider, contract]): Described[] => [
    ...contract.operations.map((operation) => ({
      provider,
      contract,
      ...operation,
      judgeNonsense: ({ judge }: OfficialServer) => {
        const isForm = operation.headers["content-type"] === form;
        const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
        const authorization = operation.headers.authorization === basic ? "Basic YTpi" : "Bearer x";
        const headers = { "content-type": type, authorization };
        const request = { method: "POST", path: operation.path, headers, body: isForm ? "" : "[]" };
        expect(misfits(contract, request)).not.toEqual([]);
        return judge(request);
      },
    })),
    ...Object.entries(contract.callbacks ?? {}).map(([name, callback]) => ({
      provider,
      contract,
      ...callback,
      path: callback.official?.path ?? name,
      judgeNonsense: ({ judgeCallback }: OfficialServer) => judgeCallback(name, []),
    })),
  ],
);

describe.each(described.filter(({ body, official }) => body && official))(
  "our facts about $provider $path",
  ({ body = z.unknown(), official = { file: "" }, path, contract, judgeNonsense }) => {
    it("are those of the provider's own description, but for what is known to be missing there", async ({
      skip,
    }) => {
      const schema = await officialBody(official, path);
      if (!schema) return skip();
      const ours = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Schema;
      const beyond = (official.beyond ?? []).map((what) => `${what} is not described`);
      expect(driftBetween(ours, schema).sort()).toEqual(beyond.sort());
    });

    it("refuse nonsense, as the description does (the probe that shows that both check at all)", async () => {
      expect(body.safeParse([]).success).toBe(false);
      const server = officialServer(contract);
      try {
        expect([400, 422]).toContain((await judgeNonsense(server)) ?? 422);
      } finally {
        await server.close();
      }
    });
  },
);

it("a drift is a member, a requirement or a value that the description does not share", () => {
  const official: Schema = {
    required: ["to"],
    properties: {
      to: {},
      kind: { enum: ["a", "b"] },
      parts: { items: { oneOf: [{ properties: { url: {} } }, { properties: { text: {} } }] } },
      open: {},
    },
  };
  const ours: Schema = {
    properties: {
      kind: { enum: ["b", "c"] },
      parts: { items: { properties: { text: {}, colour: {} } } },
      open: { properties: { anything: {} } },
      more: {},
    },
  };
  expect(driftBetween(ours, official)).toEqual([
    "to is required",
    "kind=c is not described",
    "parts[].colour is not described",
    "more is not described",
  ]);
});
