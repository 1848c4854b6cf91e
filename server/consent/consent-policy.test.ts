import { describe, expect, it } from "vitest";
import { consentPolicy } from "./consent-policy.ts";
import type { ConsentPolicy } from "./consent-policy.ts";

const message = { class: "marketing", channel: "sms", region: "DE" } as const;

describe("the consent policy of a message", () => {
  it("follows its class", () => {
    const policies = (["authentication", "transactional", "service", "marketing"] as const).map((name) =>
      consentPolicy({ consentPolicies: [] }, { ...message, class: name }),
    );
    expect(policies).toEqual(["exempt", "opt_out", "opt_out", "opt_in_required"]);
  });

  it("is the tenant's most specific override: channel before region", () => {
    const override = (fields: { channel?: "sms" | "email"; region?: string }, policy: ConsentPolicy) => ({
      class: "marketing" as const,
      ...fields,
      policy,
    });
    const settings = {
      consentPolicies: [
        override({ channel: "sms" }, "exempt"),
        override({}, "opt_out"),
        override({ region: "DE" }, "opt_in_required"),
        override({ channel: "email", region: "DE" }, "exempt"),
      ],
    };
    expect(consentPolicy(settings, message)).toBe("exempt");
    expect(consentPolicy(settings, { ...message, channel: "whatsapp" })).toBe("opt_in_required");
    expect(consentPolicy(settings, { ...message, channel: "whatsapp", region: "FR" })).toBe("opt_out");
    expect(consentPolicy(settings, { ...message, class: "service" })).toBe("opt_out");
    expect(consentPolicy({ consentPolicies: settings.consentPolicies.toReversed() }, message)).toBe("exempt");
  });
});
