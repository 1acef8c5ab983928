/** The actor of changes that come from a PMS: `pms:` and the id of its configuration. They are not sent back to that PMS. */
export function pmsActor(configurationId: string): string {
  return `pms:${configurationId}`
}
