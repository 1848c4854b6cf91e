import { describe, expect, test } from "vitest";
import type { Finding } from "../../../server/content-checks/schemas.ts";
import { emptyDraft } from "../draft.ts";
import { liveFindings } from "./use-complaints.ts";

const draft = { ...emptyDraft("webshop", "order/shipped"), body: "Your card 4111 1111 1111 1111." };
const finding: Finding = {
  category: "sensitive_data",
  severity: "block",
  pointer: "/body",
  start: 10,
  end: 29,
  excerpt: "4111…11",
  explanation: "A card number.",
  suggestion: null,
};

describe("what moderation holds against a text that goes on being written", () => {
  test("stands as long as its place does, wherever that has moved", () => {
    const judged = { findings: [finding], draft };
    expect(liveFindings({ ...draft, body: `Hello. ${draft.body}` }, judged, [])).toHaveLength(1);
    expect(liveFindings({ ...draft, body: "Your card." }, judged, [])).toEqual([]);
  });

  test("is said once when the preview finds it as well", () => {
    const moved = { ...finding, start: 17, end: 36 };
    const other = { ...finding, category: "abusive_language" as const, excerpt: "idiot" };
    const all = liveFindings(draft, { findings: [finding], draft }, [moved, other]);
    expect(all.map((each) => each.category)).toEqual(["sensitive_data", "abusive_language"]);
  });

  test("of a text that is gone is gone", () => {
    const metadata = { preheader: "Your card 4111 1111 1111 1111." };
    const judged = {
      findings: [{ ...finding, pointer: "/metadata/preheader" }],
      draft: { ...draft, metadata },
    };
    expect(liveFindings(draft, judged, [])).toEqual([]);
  });
});
