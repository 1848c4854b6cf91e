/**
 * Environment of every test process, set before any module reads it. Tests that need another value set it
 * before they import what reads it.
 */
process.env.TIDINGS_SECRET_KEY ??= Buffer.alloc(32, 7).toString("base64");
process.env.LOG_LEVEL ??= "silent";
process.env.PUBLIC_URL ??= "http://localhost:3000";
