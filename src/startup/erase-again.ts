import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { erasureDigest, readErasures } from '../host/files/erasures.ts'
import type { EraseInput } from '../reservation/profiles/erase-profile.ts'
import { profile } from '../reservation/resources/profile.ts'
import type { Command, Document, Transaction, Writer } from '../resource/command.ts'
import { command } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { copyTakenAt } from '../store/disk/copy.ts'

const most = 1_000_000

/**
 * Returns the command that erases guests who are in a restored backup although they were erased after it was made.
 * `digests` are the digests of their profile ids. The command returns the number of erased profiles.
 */
export function erasingAgain(erase: Command<EraseInput, Document>) {
  return command('system/erase-again', (tx: Transaction, { digests }: { digests: string[] }): number => {
    const erased = new Set(digests)
    const ids = tx.select(profile, [], [], most).map(({ id }) => id)
    const found = ids.filter((id) => erased.has(erasureDigest(id)))
    for (const id of found) erase.run(tx, { id, isAgain: true })
    return found.length
  })
}

/** Erases these guests in a store that was restored from a backup, before the first request is answered. */
export async function eraseInRestored(
  data: string,
  { reader, writer }: { reader: Reader; writer: Writer },
  eraseAgain: ReturnType<typeof erasingAgain>,
): Promise<void> {
  if (reader.counter(copyTakenAt) === 0) return
  const digests = [...readErasures(join(data, dataFiles.erasures))]
  if (digests.length === 0) return
  await writer.execute(eraseAgain, { digests }, { actor: { by: 'restore', requestId: null } })
}
