import { DeviceFault } from '../../src/devices/fault.ts'
import type { OnlineGrant } from '../../src/devices/lock-system.ts'
import type { Cloud } from './cloud.ts'
import type { CallName, Fields } from './protocol.ts'
import { windowOf } from './rules.ts'

/** The state of a PIN in the cloud's list of a lock. */
export type Listed =
  /** With our window; its own number for it. */
  | { kind: 'ours'; reference: string }
  /** With another window: not the key that was asked about. */
  | { kind: 'another' }
  /** Something is being done to it at the lock. */
  | { kind: 'unsettled' }
  | { kind: 'absent' }

/** A page has a hundred; the cloud allows 100 or 200, depending on which page of its manual is asked. */
const pageSize = 100

/** The `status` of passcodes of which the list does not say what the lock knows: at work, or a change that failed. */
const unsettled: readonly unknown[] = [3, 4, 6, 7, 8]
/** The PIN was never on the lock. */
const addFailed = 5

/** Looks a PIN up in the cloud's list of its lock. Rejects with a DeviceFault when the list cannot be had in full. */
export async function listed(
  cloud: Cloud,
  name: string,
  grant: OnlineGrant,
  signal: AbortSignal,
): Promise<Listed> {
  const fields = { lockId: grant.lock, searchStr: grant.pin ?? '', orderBy: '1' }
  // The search also finds names that hold the digits.
  const rows = await everyRow(cloud, name, { call: 'listPasscodes', fields, mostPages: 10 }, signal)
  const same = rows.filter((row) => String(row.keyboardPwd) === grant.pin && row.status !== addFailed)
  const { from, until } = windowOf(grant)
  const ours = same.find((row) => windowIs(row, from, until))
  if (ours && !unsettled.includes(ours.status)) return { kind: 'ours', reference: String(ours.keyboardPwdId) }
  if (same.some((row) => unsettled.includes(row.status))) return { kind: 'unsettled' }
  return { kind: same.length > 0 ? 'another' : 'absent' }
}

function windowIs(row: Record<string, unknown>, from: number, until: number): boolean {
  const told = windowOf({ validFrom: Number(row.startDate), validUntil: Number(row.endDate) })
  return told.from === from && told.until === until
}

interface ListOf {
  call: CallName
  fields: Fields
  mostPages: number
}

/** All pages of a list together. */
export async function everyRow(
  cloud: Cloud,
  name: string,
  { call, fields, mostPages }: ListOf,
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let pageNo = 1; pageNo <= mostPages; pageNo++) {
    const asked = { ...fields, pageNo: String(pageNo), pageSize: String(pageSize) }
    const said = await cloud.ask(call, asked, signal)
    const page = rowsIn(said)
    if (!page)
      throw new DeviceFault('lock-system-retry', `${name}: the cloud answered with a list that is none`)
    rows.push(...page)
    const pages = Number(said?.pages)
    if (Number.isInteger(pages) ? pageNo >= pages : page.length < pageSize) return rows
  }
  throw new DeviceFault(
    'lock-system-rejected',
    `${name}: the cloud lists more than ${mostPages * pageSize} rows`,
  )
}

function rowsIn(said: Record<string, unknown> | null): Record<string, unknown>[] | null {
  const list: unknown = said?.list
  if (!Array.isArray(list)) return null
  return list.every((row) => typeof row === 'object' && row !== null) ? list : null
}
