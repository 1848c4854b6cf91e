import { DomainError } from "../kernel/errors.ts";

/**
 * Runs a write and turns a unique violation of a name into `conflict`, pointing at the field.
 * @param pointer RFC 6901 pointer of the field in the input, e.g. "/slug"
 */
export async function refuseRepeated<T>(
  pointer: string,
  detail: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "P2002") {
      throw new DomainError("conflict", detail, {
        errors: [{ pointer, code: "taken", detail }],
        cause: error,
      });
    }
    throw error;
  }
}
