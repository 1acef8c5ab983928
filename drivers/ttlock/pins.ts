import { DeviceFault } from '../../src/devices/fault.ts'
import type { HeldKey, LockCall, OnlineGrant, OnlineKey } from '../../src/devices/lock-system.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Cloud } from './cloud.ts'
import type { gatewayTurns } from './gateways.ts'
import { type ListedPin, listed, nameOf } from './passcodes.ts'
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
  const found = await settled(account, grant, signalOf(account, call), ({ kind }) => kind === 'ours')
  if (found.kind === 'unsettled') throw stillProcessed(account)
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
  const reference = held.reference ?? (await referenceOf(account, held.grant, signalOf(account, call)))
  if (reference === null)
    throw new DeviceFault('lock-system-rejected', `${account.name}: the cloud does not list the PIN`)
  return changeEntry(account, reference, to, call)
}

/** Changes an entry of the list, or the one that has taken its place, or adds the PIN again. */
async function changeEntry(
  account: Account,
  reference: string,
  to: OnlineGrant,
  call: LockCall,
): Promise<OnlineKey> {
  const fields = { keyboardPwdId: reference, ...dates(to), changeType: throughGateway }
  const changed = { name: 'change', fields, fine: notChanged } as const
  const answer = await command(account, to.lock, changed, signalOf(account, call))
  if (answer !== null) return { reference, uid: null }
  return (await changeSuccessor(account, reference, to, call)) ?? addedAgain(account, reference, to, call)
}

/**
 * Finds the entry that an earlier change has added in place of this one, and changes it unless it has the window already.
 * Null when there is none.
 */
async function changeSuccessor(
  account: Account,
  reference: string,
  to: OnlineGrant,
  call: LockCall,
): Promise<OnlineKey | null> {
  const found = await listed(account.cloud, account.name, to, signalOf(account, call))
  if (found.kind === 'ours') return { reference: found.reference, uid: null }
  if (found.own === null || found.own === reference) return null
  return changeEntry(account, found.own, to, call)
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
  await remove(account, to.lock, { keyboardPwdId: reference }, signalOf(account, call))
  try {
    return await create(account, to, call).catch(async (error: unknown) => {
      const isTaken = error instanceof DeviceFault && error.code === 'pin-unavailable'
      const successor = isTaken ? await changeSuccessor(account, reference, to, call) : null
      if (!successor) throw error
      return successor
    })
  } catch (error) {
    if (error instanceof DeviceFault) error.outcomeUnknown = true
    throw error
  }
}

/**
 * Deletes a PIN: by its number in the cloud, or by its digits when the cloud does not list it. Where the cloud does not
 * know the number, an unfinished change may have added the PIN under another one, which is then deleted.
 */
export async function revoke(account: Account, { reference, grant }: HeldKey, call: LockCall): Promise<void> {
  const signal = signalOf(account, call)
  const { lock, pin } = grant
  if (reference !== null && (await remove(account, lock, { keyboardPwdId: reference }, signal))) return
  if (reference === null && pin === null)
    throw cannot(account, 'delete a PIN that has neither number nor digits')
  // While an entry has the digits, the lock refuses what may still be on its way.
  const isCertain = ({ own, kind }: ListedPin) =>
    reference === null || own !== null || kind === 'ours' || kind === 'another'
  const found = await settled(account, grant, signal, isCertain)
  const ours = found.own ?? (reference === null && found.kind === 'ours' ? found.reference : null)
  if (ours !== null) await remove(account, lock, { keyboardPwdId: ours }, signal)
  else if (found.kind === 'unsettled') throw stillProcessed(account)
  else if (found.kind === 'absent' && pin !== null) await remove(account, lock, { keyboardPwd: pin }, signal)
}

/** Deletes a PIN by its number or its digits. Resolves with false when there is no such PIN. */
async function remove(
  account: Account,
  lock: string,
  which: { keyboardPwdId: string } | { keyboardPwd: string },
  signal: AbortSignal,
): Promise<boolean> {
  const name = 'keyboardPwdId' in which ? 'delete' : 'deleteByCode'
  const fields = { ...which, deleteType: throughGateway }
  return (await command(account, lock, { name, fields, fine: nothingToDelete }, signal)) !== null
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

function stillProcessed({ name }: Account): DeviceFault {
  return new DeviceFault('lock-system-retry', `${name}: the cloud is still processing this PIN`)
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

/** The entry of the list. Unless the first look is certain, the PIN is looked up again after `settleMs`. */
async function settled(
  account: Account,
  grant: OnlineGrant,
  signal: AbortSignal,
  isCertain: (found: ListedPin) => boolean,
): Promise<ListedPin> {
  const { name, clock, cloud, settleMs } = account
  const first = await listed(cloud, name, grant, signal)
  if (isCertain(first)) return first
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

/** The cloud's number for a PIN, which it sends as a number or as text; null for anything else. */
function referenceIn(value: unknown): string | null {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value)
  return isNumber || (typeof value === 'string' && value !== '') ? String(value) : null
}
