import { stat } from 'node:fs/promises'

/**
 * Resolves with a sentence with the reason and the remedy when a second folder protects no backup of the folder `from`,
 * because it is missing or on the same disk; null otherwise, and while there is no folder `from`.
 */
export async function secondFolderProblem(from: string, to: string): Promise<string | null> {
  const [first, second] = await Promise.all([from, to].map((path) => stat(path).catch(() => null)))
  if (!second)
    return `${to} does not exist, so there is no second copy of the backup. Plug in the stick, or mount the network folder.`
  return first?.dev === second.dev
    ? `${to} is on the same disk as the backups, and fails with it. Configure a folder on another disk.`
    : null
}
