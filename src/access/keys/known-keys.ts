import { stay } from '../../reservation/resources/stay.ts'
import type { Transaction } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Attributes } from '../../resource/resource.ts'
import { accessController } from '../resources/access-controller.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { type Key, key } from '../resources/key.ts'
import type { KeyDoor } from '../resources/key-door.ts'

type KeyRow = Attributes<typeof key.fields>

/**
 * Returns the keys whose events have sequence numbers after `after` up to `to`, as they are now. A segment of keys consists of
 * them. Texts that are printed on cards are left out: they may name guests who ask to be erased.
 */
export function keysChanged(reader: Pick<Reader, 'all' | 'row'>, after: number, to: number): Key[] {
  const ids = reader.all<{ id: string }>(
    "SELECT DISTINCT replace(subject, 'access/keys/', '') AS id FROM journal WHERE sequence > ? AND sequence <= ? AND type LIKE 'key.%'",
    after,
    to,
  )
  return ids.flatMap(({ id }) => {
    const row = reader.row(key, id)
    return row ? [{ ...row, printText: null }] : []
  })
}

/**
 * Writes keys of segments into a restored store: those that the backup lacks, and those that have changed since. A key that was
 * being made becomes unknown. A key of a lock system that the backup lacks is left out. Returns the keys that were being made.
 */
export function takeKnownKeys(tx: Transaction, keys: readonly Key[]): Key[] {
  const usable = keys.filter(({ providerId }) => isThere(tx, accessProvider, providerId))
  for (const each of usable) {
    const values = valuesOf(tx, each)
    if (isThere(tx, key, each.id)) tx.patch(key, each.id, values)
    else tx.insert(key, values, each.id)
  }
  // A key may refer to one that was written after it.
  for (const each of usable) tx.patch(key, each.id, { doorRows: endedDoors(tx, each) })
  return usable.filter(({ status }) => status === 'pendingWrite' || status === 'unknown')
}

function valuesOf(tx: Transaction, each: Key): KeyRow {
  const { id, createdAt, updatedAt, revision, printText, supersededById, ...values } = each as Key &
    Record<string, unknown>
  const { controllerId, stayId, status } = each
  return {
    ...values,
    doorRows: each.doorRows?.map((door) => ({ ...door, endedById: null })),
    status: status === 'pendingWrite' ? 'unknown' : status,
    controllerId: controllerId && isThere(tx, accessController, controllerId) ? controllerId : null,
    stayId: stayId && isThere(tx, stay, stayId) ? stayId : null,
  } as KeyRow
}

/** The doors of a written key with the newer keys that have ended them. The release before named that of the main door elsewhere. */
function endedDoors(tx: Transaction, { id, lock, supersededById, doorRows }: Key): KeyDoor[] {
  return (tx.find(key, id).doorRows ?? []).map((door) => {
    const sent = doorRows?.find((each) => each.lock === door.lock && each.name === door.name)
    const endedById = sent?.endedById ?? (door.lock && door.lock === lock ? supersededById : null)
    return { ...door, endedById: endedById && isThere(tx, key, endedById) ? endedById : null }
  })
}

function isThere(tx: Transaction, resource: Parameters<Transaction['revision']>[0], id: string): boolean {
  return tx.revision(resource, id) !== null
}
