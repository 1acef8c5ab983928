import { isImage } from './support/support-files.ts'

const namesCommand = /"nightporter |--found-anew|chmod /

/**
 * Returns the reason with a remedy that this machine has: a box from an image, which has no command line, adds its own to a
 * remedy that is a command.
 */
export function reasonHere(reason: string): string {
  if (!isImage(process.env.RUNTIME_DIRECTORY) || !namesCommand.test(reason)) return reason
  return `${reason} This box has no command line: write its image to the medium again, and restore the newest backup on its first page, /setup. This deletes all that is on the medium. Backups that are nowhere else are in the folder lib/nightporter/backups of its partition "data", which a computer with Linux reads.`
}
