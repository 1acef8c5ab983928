import { statSync } from 'node:fs'

/**
 * An administrator works on a data folder as its owner: what root wrote there the appliance could not read or replace. Does
 * nothing for anybody else, and where there is no such folder yet.
 */
export function actAsOwner(data: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(data, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  if (uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
