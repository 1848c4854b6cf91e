/** Why a form was not taken; what a field is complained of stands under its name, e.g. "accept/password". */
export interface FormRefusal {
  code: string;
  detail: string;
  fields: Record<string, string>;
}

/** What the service answered to a form of somebody who is not signed in. */
export type FormAnswer<Done> = { done: Done } | { refused: FormRefusal };

/** Sends a form. Never throws: what goes wrong on the way is a refusal as well. */
export async function postForm<Done>(path: string, fields: object): Promise<FormAnswer<Done>> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    const body = (await response.json()) as unknown;
    if (response.ok) return { done: body as Done };
    const refusal = body as { code: string; detail: string; errors: { pointer: string; detail: string }[] };
    return {
      refused: {
        code: refusal.code,
        detail: refusal.detail,
        fields: Object.fromEntries(
          refusal.errors.map(({ pointer, detail }) => [pointer.slice(1), detail] as const),
        ),
      },
    };
  } catch {
    return {
      refused: {
        code: "unreachable",
        detail: "The service didn't respond. Try again in a moment.",
        fields: {},
      },
    };
  }
}
