import { expect, test } from "vitest";
import { openNameServer } from "../testing/name-server.ts";
import { lookUpTxt } from "./txt-records.ts";

const long = "x".repeat(300);
const server = await openNameServer(
  new Map([
    ["_tidings.acme.example", ["v=spf1 -all", "tidings-domain-verification=abc"]],
    ["long.example", [long]],
  ]),
);
const lookUp = (name: string) => lookUpTxt(name, [server.address]);

test("the texts of a name are asked of the servers that the operator names, each as one text", async () => {
  expect(await lookUp("_tidings.acme.example")).toEqual(["v=spf1 -all", "tidings-domain-verification=abc"]);
  expect(await lookUp("long.example")).toEqual([long]);
});

test("a name that is not there has no texts", async () => {
  expect(await lookUp("_tidings.nobody.example")).toEqual([]);
});

test("servers that do not answer are an error within ten seconds, not an empty answer", async () => {
  await server.close();
  const began = performance.now();
  await expect(lookUp("_tidings.acme.example")).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(10_000);
}, 15_000);
