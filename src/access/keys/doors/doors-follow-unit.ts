import { type Unit, unit } from '../../../reservation/resources/unit.ts'
import type { Transaction } from '../../../resource/command.ts'
import type { Observer, Observers } from '../../../resource/observer.ts'
import { Problem } from '../../../resource/problem.ts'
import { having } from '../../../resource/query.ts'
import type { Resource } from '../../../resource/resource.ts'
import { type AccessProvider, accessProvider } from '../../resources/access-provider.ts'
import { accessUnit } from '../../resources/access-unit.ts'
import { doorNamed, expectOwnLocks } from '../../resources/door.ts'
import { type Key, key } from '../../resources/key.ts'
import { opensUntil, type RequestedChange } from '../../resources/key-door.ts'
import { unitToCheck } from '../../resources/unit-to-check.ts'

/** A unit before and after it was renamed. */
interface Renamed {
  was: string
  name: string
}

/**
 * Lets the lock and the keys of a unit follow its new name, in the transaction that renames it: doors and keys know a unit by
 * its name. Throws unit-change-refused when a lock system has another lock under the new name, and validation-failed when it has
 * the lock of another unit: the keys of that door would become keys of this unit.
 */
const doorsFollow: Observer = (tx, { before, after, changed }) => {
  if (!before || !after || !changed.includes('name')) return
  const renamed = { was: (before as Unit).name, name: (after as Unit).name }
  for (const provider of tx.select(accessProvider, [])) {
    expectNoOtherDoor(tx, provider, renamed)
    renameDoors(tx, provider, renamed)
    expectOwnLocks(tx, provider.id, new Set([renamed.name]), () => '/name')
  }
  for (const { id } of tx.select(unitToCheck, having({ unitName: renamed.was })))
    tx.patch(unitToCheck, id, { unitName: renamed.name })
  for (const row of tx.rows(key, ofUnit, renamed.was, renamed.was, tx.now))
    tx.patch(key, row.id, withName(row, renamed))
}

export const doorsFollowUnits: Observers = new Map([[unit as Resource, doorsFollow]])

/** The keys that name a unit, without those that are proven to open it never again. */
const ofUnit = `(unitName = ? OR rid IN (SELECT owner FROM key_door WHERE name = ? AND lock IS NOT NULL))
  AND (proof IS NULL OR ${opensUntil} > ?)`

function expectNoOtherDoor(
  tx: Transaction,
  { id, name: system }: AccessProvider,
  { was, name }: Renamed,
): void {
  const [own, other] = [doorNamed(tx, id, was), doorNamed(tx, id, name)]
  if (own && other && own.lock !== other.lock)
    throw new Problem(
      'unit-change-refused',
      `${system} has another lock under the name ${name}. Correct its unitMapping or the access unit of that name first.`,
      { pointer: '/name', meta: { providerId: id, lock: other.lock } },
    )
}

function renameDoors(tx: Transaction, { id, unitMapping, matrix }: AccessProvider, renamed: Renamed): void {
  const { was, name } = renamed
  tx.patch(accessProvider, id, {
    unitMapping: withEntry(unitMapping, renamed),
    matrix: withEntry(matrix, renamed),
  })
  const named = (text: string) => tx.select(accessUnit, having({ providerId: id, name: text }))
  const [own] = named(was)
  if (own && named(name).length === 0) tx.patch(accessUnit, own.id, { name })
}

/** The entries with the new name in the entry of the unit, which takes the place of one that has this name. */
function withEntry<Entry extends { unitName: string }>(
  entries: readonly Entry[] | null | undefined,
  { was, name }: Renamed,
): Entry[] | null {
  if (!entries?.some(({ unitName }) => unitName === was)) return entries ? [...entries] : null
  return entries
    .filter(({ unitName }) => unitName !== name)
    .map((entry) => (entry.unitName === was ? { ...entry, unitName: name } : entry))
}

/** The names in a key, and in a change of it that is unfinished. */
function withName({ unitName, extraUnits, changeAsked }: Key, renamed: Renamed) {
  return {
    unitName: newName(unitName ?? null, renamed),
    extraUnits: extraUnits?.map((each) => newName(each, renamed)) ?? null,
    changeAsked: changeAsked ? changeWithName(changeAsked, renamed) : null,
  }
}

function changeWithName({ to, maybe }: RequestedChange, renamed: Renamed): RequestedChange {
  const extraUnits = to.extraUnits.map((each) => newName(each, renamed))
  return {
    to: { ...to, extraUnits, unitName: newName(to.unitName, renamed) },
    maybe: maybe.map((place) => ({ ...place, unitName: newName(place.unitName, renamed) })),
  }
}

function newName<Name extends string | null>(text: Name, { was, name }: Renamed): Name | string {
  return text === was ? name : text
}
