import { DeviceFault } from '../../devices/fault.ts'
import type { OnlineGrant, OnlineKey, OnlineLockSystem } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import type { Document, WriteOptions } from '../../resource/command.ts'
import type { Machines, Property } from '../access.ts'
import { deviceProblem } from '../controllers/device-problem.ts'
import { anotherPin, beginPin, changeHeld, holdPin, materialiseKey } from '../keys/begin-key.ts'
import { heldKey, heldKeys } from '../keys/held-key.ts'
import type { KeyJob } from '../keys/job.ts'
import { type KeyOrder, onlineGrantOf, type PinBegun } from '../keys/key-order.ts'
import { confirmKey, doubtOnlineKey, failKey } from '../keys/pending/online-changes.ts'
import { stayOver } from '../keys/stay-of-key.ts'
import { expectPlausible } from '../plausible-clock.ts'
import { lockCall } from '../providers/lock-call.ts'
import { onlineSystem } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'
import { makePins, pinOrNull, pinRules, sealPin } from './pins.ts'

/** How many PINs are offered to the store at once, and how often. */
const pinsAtOnce = 20
const mostRounds = 5
/** How often another PIN is tried when the lock system has the first one already. */
const mostPins = 3

/** One PIN on its way to the lock system. */
interface PinWay extends KeyJob {
  access: Property & Machines
  system: OnlineLockSystem
}

/**
 * Makes a key without a card, or holds it until its window opens. The PIN is kept before anybody is told it, and is
 * never another one afterwards. Rejects with the 502 of what failed; by then the key has failed, or is unknown when
 * the lock system may have it.
 */
export async function issuePin(access: Property & Machines, wanted: KeyJob): Promise<Document> {
  const { writer, clock } = access
  const { order, options, job } = wanted
  const way = wayOf(access, wanted)
  const { actor } = options
  if (order.opensAt !== null) return withPins(way, (asked) => writer.execute(holdPin, asked, options))
  expectPlausible(clock)
  job.report({ step: 'asked' })
  return writePin(way, await withPins(way, (asked) => writer.execute(beginPin, asked, { actor })))
}

/** A key that was held is written to the lock system, with the PIN that it was given at first. */
export async function materialise(access: Property & Machines, held: Key, wanted: KeyJob): Promise<Document> {
  const { order, options, job } = wanted
  const way = wayOf(access, wanted)
  expectPlausible(access.clock)
  job.report({ step: 'asked' })
  const { actor } = options
  const begun = await access.writer.execute(materialiseKey, { keyId: held.id, order }, { actor })
  if (!begun) throw deviceProblem(pinElsewhere(), { keyId: held.id })
  return writePin(way, begun)
}

function wayOf(access: Property & Machines, wanted: KeyJob): PinWay {
  return { access, ...wanted, system: onlineSystem(access, wanted.controller) }
}

/** What is held for later follows a request. Rejects with pin-unavailable when somebody else has its PIN by then. */
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

/** A PIN opens for one stay at a time, so a key's window does not grow into that of another key with the same digits. */
export function pinElsewhere(): DeviceFault {
  return new DeviceFault(
    'pin-unavailable',
    'Another key has the same PIN in that window. A key that is made anew (reencode) gets other digits.',
  )
}

/** The digits are kept sealed alone: without them there is nothing to tell a lock, or a guest. */
export function pinLost(): DeviceFault {
  return new DeviceFault(
    'pin-unavailable',
    'The digits of this key are not known any more. A key that is made anew (reencode) gets other digits.',
  )
}

/**
 * Finds out what became of a key in doubt, and makes it if the lock system has none: the same key with the same PIN, so
 * that however often this is done there is one.
 */
export async function resolvePin(
  access: Property & Machines,
  controller: AccessController,
  row: Key,
  options: WriteOptions,
): Promise<Document> {
  const { clock, writer, workshop } = access
  const system = onlineSystem(access, controller)
  const { grant } = heldKey(workshop, row, controller)
  const call = lockCall(clock, controller)
  try {
    const found = (await system.find?.(grant, call)) ?? null
    const made = found ?? (await createOrFind(clock, system, grant, controller))
    const input = { keyId: row.id, made, verified: found !== null }
    const document = await writer.execute(confirmKey, input, options)
    if (document.isOver) throw stayOver()
    return document
  } catch (error) {
    throw error instanceof DeviceFault ? deviceProblem(error, { keyId: row.id }) : error
  }
}

async function writePin(way: PinWay, begun: PinBegun): Promise<Document> {
  const { access, options, job } = way
  const { keyId } = begun
  job.report({ keyId, step: 'writing' })
  const { made, verified } = await toldTo(way, begun)
  const document = await access.writer.execute(confirmKey, { keyId, made, verified }, options)
  job.report({ step: 'done' })
  if (document.isOver) throw stayOver()
  return document
}

/** A PIN that the lock system has for somebody else is another one, as long as nobody was told it. */
async function toldTo(way: PinWay, begun: PinBegun): Promise<{ made: OnlineKey; verified: boolean }> {
  const { access, controller, system, order, options } = way
  const { clock, writer, workshop } = access
  const { actor } = options
  let now = begun
  for (let tries = 1; ; tries++) {
    const pin = pinOrNull(workshop, now.sealed)
    const grant = onlineGrantOf(order, now, controller, pin)
    try {
      if (pin === null) throw pinLost()
      return { made: await system.create(grant, lockCall(clock, controller)), verified: false }
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error
      const isTaken = error.code === 'pin-unavailable'
      if (isTaken && !now.isNew && tries === 1 && (await tookEarlierAway(way, begun))) continue
      if (!(isTaken && now.isNew && tries < mostPins)) return await afterFailure(way, begun, grant, error)
      const { keyId } = begun
      now = await withPins(way, (asked) => writer.execute(anotherPin, { keyId, order: asked }, { actor }))
    }
  }
}

/** The lock may list the stay's own PIN from a window that is over, or that is to be taken away: it makes room for the new one. */
async function tookEarlierAway(
  { access, controller, system }: PinWay,
  { keyId }: PinBegun,
): Promise<boolean> {
  const { reader, workshop, clock } = access
  const row = reader.row(key, keyId)
  if (!row?.pinMark || !system.revoke) return false
  const filters = [{ path: 'pinMark', operator: 'eq' as const, value: row.pinMark }]
  const earlier = reader
    .rows(key, { filters, sort: [], page: { size: 100 } })
    .filter((each) => each.id !== keyId && each.lock === row.lock && each.providerId === row.providerId)
    .filter((each) => each.reference && (each.proof || each.status === 'revocationPending'))
  try {
    for (const each of earlier)
      for (const held of heldKeys(workshop, each, controller))
        await system.revoke(held, lockCall(clock, controller))
  } catch (error) {
    if (error instanceof DeviceFault) return false
    throw error
  }
  return earlier.length > 0
}

/** What is not known is looked for once, at once; who asks again later looks again. */
async function afterFailure(
  { access, controller, system, options }: PinWay,
  { keyId }: PinBegun,
  grant: OnlineGrant,
  fault: DeviceFault,
): Promise<{ made: OnlineKey; verified: boolean }> {
  const { actor } = options
  const found = fault.outcomeUnknown ? await foundAfterAll(access.clock, system, grant, controller) : null
  if (found) return { made: found, verified: true }
  // What was not found a moment after it was sent may still be on its way.
  const change = fault.outcomeUnknown ? doubtOnlineKey : failKey
  await access.writer.execute(change, { keyId, reason: fault.code }, { actor })
  throw deviceProblem(fault, { keyId })
}

async function foundAfterAll(
  clock: Clock,
  system: OnlineLockSystem,
  grant: OnlineGrant,
  controller: AccessController,
): Promise<OnlineKey | null> {
  try {
    return (await system.find?.(grant, lockCall(clock, controller))) ?? null
  } catch (error) {
    if (error instanceof DeviceFault) return null
    throw error
  }
}

/** A PIN that is there already was made by the request whose answer was lost. */
async function createOrFind(
  clock: Clock,
  system: OnlineLockSystem,
  grant: OnlineGrant,
  controller: AccessController,
): Promise<OnlineKey> {
  try {
    return await system.create(grant, lockCall(clock, controller))
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'pin-unavailable') throw error
    const found = await foundAfterAll(clock, system, grant, controller)
    if (!found) throw error
    return found
  }
}

/** Offers PINs until one is free. Rejects with pin-unavailable when the house has used them up. */
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
      `${controller.name}: no PIN of ${rules.length} digits is free; longer PINs leave more of them.`,
    ),
  )
}

/** Those that the lock system takes. Throws unsupported-operation when it refuses each of them. */
function takenBy({ system, controller, order }: PinWay, pins: string[]): string[] {
  // What is held may not have its room yet.
  if (order.lock === null) return pins
  const first = { sequence: 1, copy: false, credential: 1, family: 1 }
  const judged = pins.map((pin) => ({
    pin,
    problem: system.grantProblem(onlineGrantOf(order, first, controller, pin)),
  }))
  const [refused] = judged
  if (refused?.problem && judged.every(({ problem }) => problem !== null))
    throw deviceProblem(new DeviceFault('unsupported-operation', refused.problem))
  return judged.flatMap(({ pin, problem }) => (problem === null ? [pin] : []))
}
