import { readBytes } from "./read-body.ts";

const maxBodyBytes = 16 * 1_024;
const forms = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:;|$)/i;

/** The form that a recipient, or their mail program, has posted; null for a body that is none. */
export async function readForm(request: Request): Promise<FormData | null> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBytes(request, maxBodyBytes);
  if (!forms.test(type)) return null;
  return new Response(Uint8Array.from(bytes), { headers: { "content-type": type } })
    .formData()
    .catch(() => null);
}
