/** Who writes on behalf of a PMS, which knows already what he does: `pms:` with the id of its configuration. */
export function pmsActor(configurationId: string): string {
  return `pms:${configurationId}`
}
