import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, statSync } from "node:fs";
import path from "node:path";

/** Numeric user and group under which Postgres runs; empty when this process is unprivileged itself. */
export type PostgresUser = { uid?: number; gid?: number };

/** Postgres refuses to run as root. This account is used instead, and created when the system has none. */
const ACCOUNT = "postgres";

/** A folder that unprivileged accounts can reach, for clusters of a checkout in a private home folder. */
const SHARED_PLACE = "/var/lib";

function idOf(flag: "-u" | "-g", name: string): number | undefined {
  try {
    return Number.parseInt(
      execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
      10,
    );
  } catch {
    return undefined;
  }
}

/** The user of Postgres. Throws when root has no unprivileged account and cannot create one. */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return {};
  if (idOf("-u", ACCOUNT) === undefined) {
    try {
      execFileSync("useradd", ["--system", "--user-group", "--no-create-home", ACCOUNT], { stdio: "ignore" });
    } catch {
      try {
        execFileSync("adduser", ["-S", "-D", "-H", ACCOUNT], { stdio: "ignore" }); // BusyBox
      } catch {
        throw new Error(`Postgres does not run as root, and the account "${ACCOUNT}" could not be created.`);
      }
    }
  }
  return { uid: idOf("-u", ACCOUNT), gid: idOf("-g", ACCOUNT) };
}

/** Whether another account can reach a folder: each folder on the way must allow it. */
export function isReachable(folder: string, user: PostgresUser): boolean {
  if (user.uid === undefined) return true;
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    if (existsSync(place)) {
      const { mode, uid, gid } = statSync(place);
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return false;
    }
    if (place === path.dirname(place)) return true;
  }
}

/** A reachable replacement for an unreachable folder; the same one each time. */
export function reachableStandIn(folder: string): string {
  const mark = createHash("sha256").update(path.resolve(folder)).digest("hex").slice(0, 12);
  return path.join(SHARED_PLACE, `tidings-${mark}`);
}

/** The Postgres binaries, executable for the given user: in place, or copied (about 60 MB, once). */
export function reachableBinaries(native: string, user: PostgresUser, version: string): string {
  if (isReachable(native, user)) return native;
  const copy = path.join(SHARED_PLACE, `tidings-postgres-${version}`);
  if (!existsSync(path.join(copy, "complete"))) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    cpSync(path.join(native, "pg-symlinks.json"), path.join(copy, "complete"));
  }
  return copy;
}
