/**
 * A backup cannot be made or restored. The message tells people what happened, what it means, and what to do.
 */
export class BackupRefused extends Error {}
