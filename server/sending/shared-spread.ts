/** How many messages of a tenant that follow each other get one time: they share a job later. */
const shared = 10;

/** Random times for messages that wait for one moment, in [0, 1), the same for a few of a tenant. */
export class SharedSpread {
  private tenantId = "";
  private left = 0;
  private value = 0;

  next(tenantId: string): number {
    if (this.left === 0 || this.tenantId !== tenantId) {
      this.tenantId = tenantId;
      this.left = shared;
      this.value = Math.random();
    }
    this.left--;
    return this.value;
  }
}
