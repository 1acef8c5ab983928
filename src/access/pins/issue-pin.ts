import { DeviceFault } from '../../devices/fault.ts'
import type { LockCall, OnlineGrant, OnlineKey, OnlineLockSystem } from '../../devices/lock-system.ts'
import type { Document, WriteOptions } from '../../resource/command.ts'
import { first, having } from '../../resource/query.ts'
import type { Machines, Property } from '../access.ts'
import { deviceProblem, orDeviceProblem, orNull } from '../handles/device-problem.ts'
import { anotherPin, beginPin, changeHeld, holdPin, materialiseKey } from '../keys/begin-key.ts'
import { heldKey, heldKeys } from '../keys/held-key.ts'
import { stayOver } from '../keys/life/stay-of-key.ts'
import { confirmKey, doubtOnlineKey, failKey } from '../keys/online-commands.ts'
import type { KeyJob } from '../keys/orders/job.ts'
import { type KeyOrder, onlineGrantOf, type PinBegun } from '../keys/orders/key-order.ts'
import { makePins, pinOrNull, pinRules, sealPin } from '../keys/orders/pins.ts'
import { expectMayMakeKeys } from '../may-make-keys.ts'
import { lockCall, onlineSystem } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'

/** The number of candidate PINs in one order, and the highest number of orders. */
const pinsAtOnce = 20
const mostRounds = 5
/** The highest number of PINs that are sent to the lock system for one key. */
const mostPins = 3

interface PinWay extends KeyJob {
  access: Machines
  system: OnlineLockSystem
}

/** A controller, and the lock system that makes its PINs. */
type PinLock = Pick<PinWay, 'access' | 'controller' | 'system'>

/** The key as the lock system has it. `verified`: it was found there. */
type Made = { made: OnlineKey; verified: boolean }

/**
 * Makes a PIN, or stores it as virtual until its window opens. The PIN is stored before anybody receives it, and never
 * changes afterwards. Rejects with a 502 Problem. By then the key has failed, or is unknown when the lock system may
 * have it.
 */
export async function issuePin(access: Machines, wanted: KeyJob): Promise<Document> {
  const { writer } = access
  const { order, options, job } = wanted
  const way = wayOf(access, wanted)
  const { actor } = options
  if (order.opensAt !== null) return withPins(way, (order) => writer.execute(holdPin, order, options))
  expectMayMakeKeys(access)
  job.report({ step: 'asked' })
  return writePin(way, await withPins(way, (order) => writer.execute(beginPin, order, { actor })))
}

/** Sends a virtual key with its PIN to the lock system. Rejects with pin-unavailable when another key has the PIN. */
export async function materialise(access: Machines, held: Key, wanted: KeyJob): Promise<Document> {
  const { order, options, job } = wanted
  const way = wayOf(access, wanted)
  expectMayMakeKeys(access)
  job.report({ step: 'asked' })
  const { actor } = options
  const begun = await access.writer.execute(materialiseKey, { keyId: held.id, order }, { actor })
  if (!begun) throw deviceProblem(pinElsewhere(), { keyId: held.id })
  return writePin(way, begun)
}

function wayOf(access: Machines, wanted: KeyJob): PinWay {
  return { access, ...wanted, system: onlineSystem(access, wanted.controller) }
}

/** Changes a virtual PIN to a newer request. Rejects with pin-unavailable when another key has the PIN then. */
export async function changeHeldPin(
  { writer }: Property,
  { id }: Key,
  order: KeyOrder,
  options: WriteOptions,
): Promise<Document> {
  const changed = await writer.execute(changeHeld, { keyId: id, order }, options)
  if (!changed) throw deviceProblem(pinElsewhere(), { keyId: id })
  return changed
}

/** The fault for a window that another key with the same PIN overlaps. A PIN opens for one stay at a time. */
export function pinElsewhere(): DeviceFault {
  return new DeviceFault(
    'pin-unavailable',
    'Another key has the same PIN in this window. Make this key again (reencode): it gets other digits.',
  )
}

/** The fault for a PIN that cannot be decrypted. Only its encrypted form is stored, so it cannot be sent. */
export function pinLost(): DeviceFault {
  return new DeviceFault(
    'pin-unavailable',
    'The digits of this PIN are no longer stored. Make this key again (reencode): it gets other digits.',
  )
}

/** Finds an unknown PIN at its lock system, or makes it there. Key and PIN stay the same, so it can be repeated. */
export async function resolvePin(
  access: Machines,
  controller: AccessController,
  row: Key,
  options: WriteOptions,
): Promise<Document> {
  const { writer, workshop } = access
  const lock = { access, controller, system: onlineSystem(access, controller) }
  const { grant } = heldKey(workshop, row, controller)
  const found = await orDeviceProblem(findOrCreate(lock, grant), { keyId: row.id })
  const document = await writer.execute(confirmKey, { keyId: row.id, ...found }, options)
  if (document.isOver) throw stayOver()
  return document
}

async function writePin(way: PinWay, begun: PinBegun): Promise<Document> {
  const { access, options, job } = way
  const { keyId } = begun
  job.report({ keyId, step: 'writing' })
  const made = await makeAtLock(way, begun)
  const document = await access.writer.execute(confirmKey, { keyId, ...made }, options)
  job.report({ step: 'done' })
  if (document.isOver) throw stayOver()
  return document
}

/**
 * Creates the PIN at the lock system. If the lock system has it for another key, another PIN is tried, but only while
 * no one has received the first one.
 */
async function makeAtLock(way: PinWay, begun: PinBegun): Promise<Made> {
  const { access, controller, system, order, options } = way
  const { writer, workshop } = access
  const { actor } = options
  let now = begun
  for (let tries = 1; ; tries++) {
    const pin = pinOrNull(workshop, now.sealed)
    const grant = onlineGrantOf(order, now, controller, pin)
    try {
      if (pin === null) throw pinLost()
      return { made: await system.create(grant, callAt(way)), verified: false }
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error
      const isTaken = error.code === 'pin-unavailable'
      if (isTaken && !now.isNew && tries === 1 && (await tookEarlierAway(way, begun))) continue
      if (!(isTaken && now.isNew && tries < mostPins)) return await afterFailure(way, begun, grant, error)
      const { keyId } = begun
      now = await withPins(way, (order) => writer.execute(anotherPin, { keyId, order }, { actor }))
    }
  }
}

/**
 * Revokes earlier keys of the stay with the same PIN at the same lock, whose end is proven or pending, so that the lock
 * accepts the new key. Resolves with whether there were any.
 */
async function tookEarlierAway(way: PinWay, { keyId }: PinBegun): Promise<boolean> {
  const { access, controller, system } = way
  const { reader, workshop } = access
  const row = reader.row(key, keyId)
  if (!row?.pinMark || !system.revoke) return false
  const earlier = reader
    .rows(key, first(having({ pinMark: row.pinMark }), 100))
    .filter((each) => each.id !== keyId && each.lock === row.lock && each.providerId === row.providerId)
    .filter((each) => each.reference && (each.proof || each.status === 'revocationPending'))
  const { revoke } = system
  const revoked = await orNull(async () => {
    for (const each of earlier)
      for (const held of heldKeys(workshop, each, controller)) await revoke(held, callAt(way))
    return earlier.length > 0
  })
  return revoked ?? false
}

/** Handles a failed creation. Where the outcome is unknown, it looks for the key once. A later request looks again. */
async function afterFailure(
  way: PinWay,
  { keyId }: PinBegun,
  grant: OnlineGrant,
  fault: DeviceFault,
): Promise<Made> {
  const { access, options } = way
  const found = fault.outcomeUnknown ? await orNull(() => find(way, grant)) : null
  if (found) return { made: found, verified: true }
  // A request that was just sent may still be executed, so a missing key proves nothing yet.
  const change = fault.outcomeUnknown ? doubtOnlineKey : failKey
  await access.writer.execute(change, { keyId, reason: fault.code }, { actor: options.actor })
  throw deviceProblem(fault, { keyId })
}

function callAt({ access, controller }: PinLock): LockCall {
  return lockCall(access.clock, controller)
}

/** Looks for a key at the lock system; null where it does not have it, or has no such lookup. */
async function find(lock: PinLock, grant: OnlineGrant): Promise<OnlineKey | null> {
  return (await lock.system.find?.(grant, callAt(lock))) ?? null
}

/** Finds a PIN or creates it. One that exists already then was made by a request whose answer was lost. */
async function findOrCreate(lock: PinLock, grant: OnlineGrant): Promise<Made> {
  const found = await find(lock, grant)
  if (found) return { made: found, verified: true }
  try {
    return { made: await lock.system.create(grant, callAt(lock)), verified: false }
  } catch (error) {
    const isTaken = error instanceof DeviceFault && error.code === 'pin-unavailable'
    const late = isTaken ? await orNull(() => find(lock, grant)) : null
    if (!late) throw error
    return { made: late, verified: false }
  }
}

/** Calls `ask` with random PINs until one is free. Rejects with pin-unavailable after 5 rounds of 20 PINs. */
async function withPins<T>(way: PinWay, ask: (order: KeyOrder) => Promise<T | null>): Promise<T> {
  const { access, controller, order } = way
  const rules = pinRules(controller, order.request.unitName)
  for (let round = 0; round < mostRounds; round++) {
    const pins = takenBy(way, makePins(pinsAtOnce, rules)).map((pin) => sealPin(access.workshop, pin))
    const done = await ask({ ...order, pins })
    if (done !== null) return done
  }
  throw deviceProblem(
    new DeviceFault(
      'pin-unavailable',
      `${controller.name}: all PINs of ${rules.length} digits are in use. Configure longer PINs.`,
    ),
  )
}

/** The PINs that the lock system accepts. Throws unsupported-operation when it refuses all of them. */
function takenBy({ system, controller, order }: PinWay, pins: string[]): string[] {
  // A virtual key may have no unit yet.
  if (order.lock === null) return pins
  const anyNumbers = { sequence: 1, copy: false, credential: 1, family: 1 }
  const problems = pins.map((pin) => system.grantProblem(onlineGrantOf(order, anyNumbers, controller, pin)))
  const taken = pins.filter((_, index) => problems[index] === null)
  if (taken.length === 0 && problems[0])
    throw deviceProblem(new DeviceFault('unsupported-operation', problems[0]))
  return taken
}
