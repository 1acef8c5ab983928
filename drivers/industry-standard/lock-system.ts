import { type Bay, bay } from '../../src/devices/bay/bay.ts'
import { reportedUid } from '../../src/devices/driving/reported-uid.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type {
  HeldKey,
  LockCall,
  LockSetup,
  LockTraits,
  OnlineGrant,
  OnlineKey,
  OnlineLockSystem,
  ReadKey,
} from '../../src/devices/lock-system.ts'
import { readKey } from './card.ts'
import { expiryEnd } from './dates.ts'
import { answerOf } from './errors.ts'
import { type EncoderRequest, type Exchanging, exchanging } from './exchange.ts'
import { line } from './line.ts'
import { outstandingAnswers } from './outstanding-answers.ts'
import { limits, roomsOnCard } from './protocol.ts'
import {
  checkOutRequest,
  commandFor,
  encoderNumber,
  grantProblem,
  keyRequest,
  lockCodeProblem,
  readRequest,
} from './request.ts'
import { type IndustryStandardSettings, settingsOf } from './settings.ts'
import { inTurn } from './turn.ts'

type Device = Exchanging & { close(): void }

/** A lock system with its line. */
interface LockPc {
  setup: LockSetup
  settings: IndustryStandardSettings
  wires: Bay<Device>
}

/** A lock system behind its PC, on one line that is kept open and carries one request at a time. */
export function industryStandard(setup: LockSetup): OnlineLockSystem {
  const settings = settingsOf(setup.connection, setup.credentials)
  const wires = wiresTo(setup, settings)
  const pc: LockPc = { setup, settings, wires }
  // On a serial line this is the only way to notice that the lock PC was switched off.
  const look = () => {
    if (wires.state() === 'online') wires.use((device) => device.isThere()).catch(() => {})
  }
  const watch = setup.clock.setInterval(look, limits.watchMs * settings.patience)
  watch.unref()

  return {
    traits: () => traitsOf(settings),
    authorizations: [...settings.digits.keys()].sort(),
    endsAtExtraUnits: true,
    revokes: 'unit',
    revocationReaches: 'system',
    grantProblem: (grant) => grantProblem(grant, settings, setup),
    endsAt: ({ validUntil }) => expiryEnd(validUntil, settings.dateFormat, setup),
    create: (grant, call) => create(pc, grant, call),
    expectReady: (grant, call) => expectReady(pc, grant, call),
    revoke: (held, call) => revoke(pc, held, call),
    read: (word, call) => read(pc, word, call),
    state: () => ({ line: wires.state(), since: wires.since, fault: wires.lastFault }),
    close() {
      watch.cancel()
      return wires.close()
    },
  }
}

function wiresTo(
  { name, clock, log, openWire, remembered }: LockSetup,
  { path, baudRate, patience }: IndustryStandardSettings,
): Bay<Device> {
  const outstanding = remembered((unanswered) => {
    const answers = outstandingAnswers(clock)
    for (const { grant, agoMs } of unanswered)
      answers.owe(encoderNumber(grant.encoder) ?? '', commandFor(grant), limits.owesMs * patience - agoMs)
    return answers
  })
  return bay<Device>({
    name,
    clock,
    log,
    offlineCode: 'lock-system-unreachable',
    busyCode: 'lock-system-busy',
    queueLimit: 20,
    backoff: { firstMs: Math.max(20, 1_000 * patience), maxMs: Math.max(200, 60_000 * patience) },
    async open(signal) {
      const wire = await openWire(path, { baudRate, signal })
      const opened = line(wire, patience, clock)
      return { wire, device: { ...exchanging(opened, outstanding, patience, clock), close: opened.close } }
    },
    async started(device) {
      if (!(await device.isThere())) throw new Error('the lock system does not answer')
    },
  })
}

async function create(pc: LockPc, grant: OnlineGrant, call: LockCall): Promise<OnlineKey> {
  const fields = await ask(pc, requestFor(pc, grant), call)
  return { reference: null, uid: reportedUid(fields[2]) }
}

/** Cancels what the encoder may still be doing, and enquires whether the lock system is ready. */
async function expectReady(pc: LockPc, grant: OnlineGrant, call: LockCall): Promise<void> {
  const { wires, setup, settings } = pc
  const request = requestFor(pc, grant)
  const by = deadline(setup.clock, call.timeoutMs)
  const obstacle = await inTurn(wires, call, setup, (device) => device.obstacle(request.encoder, by))
  if (obstacle) answerOf(obstacle, request, settings.password)
}

/** The request for a key. Throws when the protocol cannot express it. */
function requestFor({ settings, setup }: LockPc, grant: OnlineGrant): EncoderRequest {
  const unknown = grant.authorizations.find((name) => !settings.digits.has(name))
  if (unknown !== undefined)
    throw new DeviceFault('authorization-unknown', `There is no authorization ${JSON.stringify(unknown)}`)
  const problem = grantProblem(grant, settings, setup)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
  return keyRequest(grant, settings, setup, setup.clock.now())
}

/**
 * Checks out each room of the key: the lock system knows only rooms and their guests, not keys. All are checked out in one turn: the
 * next guest of a room may get a card meanwhile, which a later check-out would end. None is checked out while the encoder may still make
 * the card of the key: that card would open its rooms again.
 */
async function revoke(pc: LockPc, { grant }: HeldKey, call: LockCall): Promise<void> {
  const rooms = [...new Set([grant.lock, ...grant.extraLocks])]
  const problem = rooms.map(lockCodeProblem).find((each) => each !== null)
  if (problem) throw new DeviceFault('unit-unknown', problem)
  const encoder = encoderNumber(grant.encoder)
  const by = deadline(pc.setup.clock, call.timeoutMs)
  await askTogether(pc, rooms.map(checkOutRequest), call, async (device, request) => {
    const owing = encoder === null ? null : await device.debt(encoder, by)
    if (owing) answerOf(owing, request, pc.settings.password)
    call.expectNoOther?.()
  })
}

async function read(pc: LockPc, word: string | null, call: LockCall): Promise<ReadKey> {
  const encoder = encoderNumber(word)
  if (encoder === null) throw new DeviceFault('encoder-offline', `There is no encoder ${word ?? 'named'}`)
  const found = readKey(await ask(pc, readRequest(encoder), call), pc.setup.instantOf)
  if (!found) throw new DeviceFault('card-incompatible', 'LT: the answer describes no card')
  return found
}

async function ask(pc: LockPc, request: EncoderRequest, call: LockCall): Promise<readonly string[]> {
  const [answer = []] = await askTogether(pc, [request], call)
  return answer
}

/**
 * Sends the requests one after the other, with no other request between them, until one fails. Sends none when `expect` rejects, which is
 * called in their turn.
 */
function askTogether(
  { wires, setup, settings }: LockPc,
  requests: readonly EncoderRequest[],
  call: LockCall,
  expect = async (_device: Device, _first: EncoderRequest) => {},
): Promise<(readonly string[])[]> {
  const by = deadline(setup.clock, call.timeoutMs)
  return inTurn(wires, call, setup, async (device) => {
    await expect(device, requests[0]!)
    const answers: (readonly string[])[] = []
    for (const request of requests) {
      const outcome = await device.exchange(request, by)
      // Late messages on this line must not reach the next request.
      if (outcome.end !== 'answered' && outcome.left) wires.reset()
      answers.push(answerOf(outcome, request, settings.password))
    }
    return answers
  })
}

function traitsOf({ vendor, dateFormat }: IndustryStandardSettings): LockTraits {
  const byCard = { requiresMedium: true, idempotent: false, typicalMs: null }
  return {
    vendor,
    product: null,
    productVersion: null,
    keyTypes: ['keyCard'],
    operations: {
      create: byCard,
      copy: byCard,
      'one-shot': byCard,
      read: { requiresMedium: true, idempotent: true, typicalMs: null },
      revoke: { requiresMedium: false, idempotent: true, typicalMs: null },
    },
    limits: {
      maxExtraUnits: roomsOnCard - 1,
      pinLength: null,
      dateGranularity: dateFormat === 'HHDDMMYY' ? 'hour' : 'minute',
      maxValidityDays: null,
      nameLength: null,
      charset: 'latin1',
    },
    extensions: [],
  }
}
