import { type Bay, bay } from '../../src/devices/bay/bay.ts'
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
import { readKey, uidOf } from './card.ts'
import { answerOf } from './errors.ts'
import { type EncoderRequest, type Exchanging, exchanging } from './exchange.ts'
import { line } from './line.ts'
import { outstandingAnswers } from './outstanding-answers.ts'
import { limits, roomsOnCard } from './protocol.ts'
import {
  checkOutRequest,
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
    revokes: 'unit',
    revocationReaches: 'system',
    lockCodeProblem,
    grantProblem: (grant) => grantProblem(grant, settings, setup),
    create: (grant, call) => create(pc, grant, call),
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
  { name, clock, log, openWire }: LockSetup,
  { path, baudRate, patience }: IndustryStandardSettings,
): Bay<Device> {
  const outstanding = outstandingAnswers(clock)
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
  const { settings, setup } = pc
  const unknown = grant.authorizations.find((name) => !settings.digits.has(name))
  if (unknown !== undefined)
    throw new DeviceFault('authorization-unknown', `There is no authorization ${JSON.stringify(unknown)}`)
  const problem = grantProblem(grant, settings, setup)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
  const fields = await ask(pc, keyRequest(grant, settings, setup, setup.clock.now()), call)
  return { reference: null, uid: uidOf(fields[2]) }
}

/** Checks out each room of the key: the lock system knows only rooms and their guests, not keys. */
async function revoke(pc: LockPc, { grant }: HeldKey, call: LockCall): Promise<void> {
  const by = deadline(pc.setup.clock, call.timeoutMs)
  for (const room of new Set([grant.lock, ...grant.extraLocks])) {
    const problem = lockCodeProblem(room)
    if (problem) throw new DeviceFault('unit-unknown', problem)
    await ask(pc, checkOutRequest(room), { ...call, timeoutMs: Math.max(1, by.left()) })
  }
}

async function read(pc: LockPc, word: string | null, call: LockCall): Promise<ReadKey> {
  const encoder = encoderNumber(word)
  if (encoder === null) throw new DeviceFault('encoder-offline', `There is no encoder ${word ?? 'named'}`)
  const found = readKey(await ask(pc, readRequest(encoder), call), pc.setup.instantOf)
  if (!found) throw new DeviceFault('card-incompatible', 'LT: the answer describes no card')
  return found
}

async function ask(
  { wires, setup, settings }: LockPc,
  request: EncoderRequest,
  call: LockCall,
): Promise<readonly string[]> {
  const by = deadline(setup.clock, call.timeoutMs)
  const outcome = await inTurn(wires, call, setup, async (device) => {
    const ended = await device.exchange(request, by)
    // Late messages on this line must not reach the next request.
    if (ended.end !== 'answered' && ended.left) wires.reset()
    return ended
  })
  return answerOf(outcome, request, settings.password)
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
