/** Source: https://platform.openai.com/docs/api-reference/chat/create, .../moderations/create, .../guides/structured-outputs */
import { z } from "zod";
import { bearer, json, list, object, oneOf, only, open, some, text } from "./contract.ts";
import type { Contract } from "./contract.ts";

const headers = { authorization: bearer, "content-type": json };
const file = "openai.yaml";

export const openaiContract: Contract = {
  operations: [
    {
      method: "POST",
      path: "/chat/completions",
      headers,
      body: object({
        model: some,
        messages: list(object({ role: oneOf(["system", "user", "assistant"]), content: some })).min(1),
        temperature: z.number().min(0).max(2).optional(),
        max_completion_tokens: z.int().min(1).optional(),
        stream: z.boolean().optional(),
        stream_options: object({ include_usage: z.boolean() }).optional(),
        response_format: object({
          type: only("json_schema"),
          json_schema: object({
            name: text.regex(/^[\w-]{1,64}$/),
            strict: z.boolean(),
            schema: open({ type: only("object") }),
          }),
        }).optional(),
      }),
      official: { file },
    },
    {
      method: "POST",
      path: "/moderations",
      headers,
      body: object({ model: some.optional(), input: z.union([some, list(some).min(1)]) }),
      official: { file },
    },
  ],
};
