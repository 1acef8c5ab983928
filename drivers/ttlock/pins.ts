import { DeviceFault } from '../../src/devices/fault.ts'
import type { HeldKey, LockCall, OnlineGrant, OnlineKey } from '../../src/devices/lock-system.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Cloud } from './cloud.ts'
import type { gatewayTurns } from './gateways.ts'
import { type ListedPin, listed } from './passcodes.ts'
import {
  type CallName,
  type FormFields,
  notChanged,
  nothingToDelete,
  period,
  throughGateway,
} from './protocol.ts'
import { grantProblem, windowOf } from './rules.ts'

/** One TTLock account. */
export interface Account {
  /** Begins the text of its faults. */
  name: string
  clock: Clock
  cloud: Cloud
  turns: ReturnType<typeof gatewayTurns>
  /** Aborted when the account is closed. */
  closing: AbortSignal
  /** The time after which a command that was lost on its way can no longer change a lock, in ms. */
  settleMs: number
}

/** The longest name of a PIN in the cloud, in characters. */
export const nameLength = 50

/** Adds a PIN to a lock. */
export async function create(account: Account, grant: OnlineGrant, call: LockCall): Promise<OnlineKey> {
  expectPossible(account, grant)
  const fields = {
    keyboardPwd: grant.pin ?? '',
    keyboardPwdName: nameOf(grant),
    keyboardPwdType: period,
    ...dates(grant),
    addType: throughGateway,
  }
  const answer = await command(account, grant.lock, { name: 'add', fields }, signalOf(account, call))
  return { reference: referenceIn(answer?.keyboardPwdId), uid: null }
}

/** Looks for a PIN with exactly this window; null when the lock does not have it. */
export async function find(account: Account, grant: OnlineGrant, call: LockCall): Promise<OnlineKey | null> {
  expectPossible(account, grant)
  const found = await settled(account, grant, signalOf(account, call))
  if (found.kind === 'unsettled')
    throw new DeviceFault('lock-system-retry', `${account.name}: the cloud is still processing this PIN`)
  // A PIN with another window belongs to another key, or was not changed: the key in question is not on the lock.
  return found.kind === 'ours' ? { reference: found.reference, uid: null } : null
}

/** Changes the window of a PIN. One that was never used cannot be changed, and is added again with the same digits. */
export async function change(
  account: Account,
  held: HeldKey,
  to: OnlineGrant,
  call: LockCall,
): Promise<OnlineKey> {
  expectPossible(account, to)
  if (to.lock !== held.grant.lock) throw cannot(account, 'move a PIN to another lock')
  if (to.pin !== held.grant.pin) throw cannot(account, 'change the digits of a PIN')
  const signal = signalOf(account, call)
  const reference = held.reference ?? (await referenceOf(account, held.grant, signal))
  if (reference === null)
    throw new DeviceFault('lock-system-rejected', `${account.name}: the cloud does not list the PIN`)
  const fields = { keyboardPwdId: reference, ...dates(to), changeType: throughGateway }
  const answer = await command(account, to.lock, { name: 'change', fields, fine: notChanged }, signal)
  return answer === null ? addedAgain(account, reference, to, call) : { reference, uid: null }
}

/**
 * Deletes a PIN and adds it again. A lock refuses digits that it has, so the guest has no PIN for a moment. From the deletion on a
 * failure leaves the outcome open: a repeated change then adds the PIN.
 */
async function addedAgain(
  account: Account,
  reference: string,
  to: OnlineGrant,
  call: LockCall,
): Promise<OnlineKey> {
  await revoke(account, { reference, uid: null, grant: to }, call)
  try {
    return await create(account, to, call)
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    const added =
      error.code === 'pin-unavailable' && (await referenceOf(account, to, signalOf(account, call)))
    if (added) return { reference: added, uid: null }
    error.outcomeUnknown = true
    throw error
  }
}

/** Deletes a PIN: by its number in the cloud, or by its digits when the cloud does not list it. */
export async function revoke(account: Account, { reference, grant }: HeldKey, call: LockCall): Promise<void> {
  const signal = signalOf(account, call)
  const remove = async (name: 'delete' | 'deleteByCode', fields: FormFields) => {
    const deletion = { name, fields: { ...fields, deleteType: throughGateway }, fine: nothingToDelete }
    await command(account, grant.lock, deletion, signal)
  }
  if (reference !== null) return remove('delete', { keyboardPwdId: reference })
  if (grant.pin === null) throw cannot(account, 'delete a PIN that has neither number nor digits')
  const found = await listed(account.cloud, account.name, grant, signal)
  // The same digits with another window belong to another key, or to a key that was changed since.
  if (found.kind === 'another') return
  if (found.kind === 'ours') await remove('delete', { keyboardPwdId: found.reference })
  else await remove('deleteByCode', { keyboardPwd: grant.pin })
}

/** Aborted at the deadline of the call, when its caller aborts it, or when the account is closed. */
export function signalOf({ name, clock, closing }: Account, { signal, timeoutMs }: LockCall): AbortSignal {
  if (closing.aborted) throw new DeviceFault('lock-system-unreachable', `${name}: is closed`)
  const ms = Math.max(0, Math.min(Math.round(timeoutMs), 2 ** 31 - 1))
  return AbortSignal.any([signal, closing, clock.timeout(ms)])
}

/** The fault for an operation that the cloud does not offer. */
export function cannot({ name }: Account, what: string): DeviceFault {
  return new DeviceFault('unsupported-operation', `${name}: cannot ${what}`)
}

function expectPossible({ name }: Account, grant: OnlineGrant): void {
  const problem = grantProblem(grant)
  if (problem !== null) throw new DeviceFault('lock-system-rejected', `${name}: ${problem}`)
}

interface LockCommand {
  name: CallName
  fields: FormFields
  /** The error codes that count as a success. */
  fine?: readonly number[]
}

/**
 * Sends a command to a lock through its gateway. An answer with neither a number nor an `errcode` acknowledges nothing:
 * it is unknown whether the lock executed the command.
 */
async function command(
  { name, cloud, turns }: Account,
  lock: string,
  { name: call, fields, fine }: LockCommand,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const answer = await turns(lock, signal, () => cloud.ask(call, { lockId: lock, ...fields }, signal, fine))
  if (answer && answer.errcode === undefined && referenceIn(answer.keyboardPwdId) === null)
    throw new DeviceFault('vendor-error', `${name}: the cloud answered with neither a number nor an error`)
  return answer
}

/** The entry of the list. A PIN that is not listed with this window is looked up again after `settleMs`. */
async function settled(account: Account, grant: OnlineGrant, signal: AbortSignal): Promise<ListedPin> {
  const { name, clock, cloud, settleMs } = account
  const first = await listed(cloud, name, grant, signal)
  if (first.kind === 'ours') return first
  try {
    await clock.sleep(settleMs, { signal })
  } catch {
    throw new DeviceFault('lock-system-retry', `${name}: a command may still be on its way to the lock`)
  }
  return listed(cloud, name, grant, signal)
}

async function referenceOf(
  { name, cloud }: Account,
  grant: OnlineGrant,
  signal: AbortSignal,
): Promise<string | null> {
  const found = await listed(cloud, name, grant, signal)
  return found.kind === 'ours' ? found.reference : null
}

function dates(grant: OnlineGrant): FormFields {
  const { from, until } = windowOf(grant)
  return { startDate: String(from), endDate: String(until) }
}

/** The label of the key, without the digits of the PIN. */
function nameOf({ label, pin }: OnlineGrant): string {
  const named = pin === null ? label : label.replaceAll(pin, '')
  return [...named].slice(0, nameLength).join('')
}

/** The cloud's number for a PIN, which it sends as a number or as text; null for anything else. */
function referenceIn(value: unknown): string | null {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value)
  return isNumber || (typeof value === 'string' && value !== '') ? String(value) : null
}
