/** `npm run generate:clients`: writes what the clients under packages/ have of the OpenAPI document. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./lib/paths.ts";

// The document names an address; the types do not.
process.env.PUBLIC_URL ??= "https://tidings.example";
process.env.TIDINGS_SECRET_KEY ??= Buffer.alloc(32).toString("base64");
process.env.DATABASE_URL ??= "postgres://nobody@127.0.0.1:1/none";
const { clientTypes } = await import("./lib/client-types.ts");

writeFileSync(path.join(root, "packages/sdk-ts/src/schema.ts"), await clientTypes());
const { pythonOperations } = await import("./lib/python-operations.ts");
writeFileSync(path.join(root, "packages/sdk-python/tidings/_resources.py"), pythonOperations());
