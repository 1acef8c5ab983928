import { DeviceFault } from '../../src/devices/fault.ts'
import type { OnlineGrant } from '../../src/devices/lock-system.ts'
import type { Cloud } from './cloud.ts'
import type { CallName, FormFields } from './protocol.ts'
import { windowOf } from './rules.ts'

/** A PIN in the cloud's list of a lock. */
export type ListedPin = ListedState & {
  /** The cloud's number for the entry that has the name of the key, in any window and state; null when there is none. */
  own: string | null
}

type ListedState =
  /** It has this window. `reference` is the cloud's number for it. */
  | { kind: 'ours'; reference: string }
  /** It has another window: it belongs to another key, or the key has another window there. */
  | { kind: 'another' }
  /** A command for it is in progress at the lock, or has failed there. */
  | { kind: 'unsettled' }
  | { kind: 'absent' }

/** The longest name of a PIN in the cloud, in characters. */
export const nameLength = 50

/** The vendor's manual contradicts itself: one page permits 100 rows, another 200. */
const pageSize = 100

/**
 * The `status` values with which the list does not show what the lock has stored: a command is in progress, or a change
 * has failed.
 */
const unsettled: readonly unknown[] = [3, 4, 6, 7, 8]
/** The `status` of a PIN that never reached the lock. */
const addFailed = 5

/**
 * Looks a PIN up in the cloud's list of its lock; by its name when its digits are not known. Rejects with a DeviceFault
 * when the list is not complete.
 */
export async function listed(
  cloud: Cloud,
  name: string,
  grant: OnlineGrant,
  signal: AbortSignal,
): Promise<ListedPin> {
  const named = nameOf(grant)
  const fields = { lockId: grant.lock, searchStr: grant.pin ?? named, orderBy: '1' }
  // The search also finds PINs whose name contains the text.
  const rows = await everyRow(cloud, name, { call: 'listPasscodes', fields, mostPages: 10 }, signal)
  const isNamed = (row: Record<string, unknown>) => row.keyboardPwdName === named
  const isMeant = (row: Record<string, unknown>) =>
    grant.pin === null ? isNamed(row) : String(row.keyboardPwd) === grant.pin
  const same = rows.filter((row) => isMeant(row) && row.status !== addFailed)
  const { from, until } = windowOf(grant)
  const ours = same.find((row) => windowIs(row, from, until))
  const ownRow = same.find(isNamed)
  const own = ownRow ? String(ownRow.keyboardPwdId) : null
  if (ours && !unsettled.includes(ours.status))
    return { kind: 'ours', reference: String(ours.keyboardPwdId), own }
  if (same.some((row) => unsettled.includes(row.status))) return { kind: 'unsettled', own }
  return { kind: same.length > 0 ? 'another' : 'absent', own }
}

/** The label of the key, without the digits of the PIN. */
export function nameOf({ label, pin }: OnlineGrant): string {
  const named = pin === null ? label : label.replaceAll(pin, '')
  return [...named].slice(0, nameLength).join('')
}

function windowIs(row: Record<string, unknown>, from: number, until: number): boolean {
  const listedWindow = windowOf({ validFrom: Number(row.startDate), validUntil: Number(row.endDate) })
  return listedWindow.from === from && listedWindow.until === until
}

/**
 * All rows of a list that the cloud returns in pages. Rejects with a DeviceFault when an answer is no list, or when
 * there are more than `mostPages`.
 */
export async function everyRow(
  cloud: Cloud,
  name: string,
  { call, fields, mostPages }: { call: CallName; fields: FormFields; mostPages: number },
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let pageNo = 1; pageNo <= mostPages; pageNo++) {
    const pageFields = { ...fields, pageNo: String(pageNo), pageSize: String(pageSize) }
    const answer = await cloud.ask(call, pageFields, signal)
    const page = rowsIn(answer)
    if (!page) throw new DeviceFault('lock-system-retry', `${name}: the cloud answered with an invalid list`)
    rows.push(...page)
    const pages = Number(answer?.pages)
    if (Number.isInteger(pages) ? pageNo >= pages : page.length < pageSize) return rows
  }
  throw new DeviceFault(
    'lock-system-rejected',
    `${name}: the cloud lists more than ${mostPages * pageSize} rows`,
  )
}

function rowsIn(answer: Record<string, unknown> | null): Record<string, unknown>[] | null {
  const list: unknown = answer?.list
  if (!Array.isArray(list)) return null
  return list.every((row) => typeof row === 'object' && row !== null) ? list : null
}
