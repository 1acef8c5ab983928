import { statSync } from 'node:fs'

/**
 * Changes the process to the user and group that own the data folder, if it runs as root. The appliance could not read
 * or replace files that root creates there. Does nothing for any other user, for a folder of root, and for a missing
 * folder.
 */
export function actAsOwner(data: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(data, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  if (uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
