import recorded from "./answers.json" with { type: "json" };

/** The example answer of each operation that answers with a body; openapi-examples.test.ts records and checks them. */
export const answerExamples: Readonly<Record<string, unknown>> = recorded;
