/** Why a backup cannot be made or restored, in words for people: what happened, what it means, what to do. */
export class BackupRefused extends Error {}
