import { bay } from '../../src/devices/bay/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type {
  HeldKey,
  LockCall,
  LockSetup,
  LockTraits,
  OnlineGrant,
  OnlineLockSystem,
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

/** A lock system behind its PC, on one line that is kept open and carries one request at a time. */
export function industryStandard(setup: LockSetup): OnlineLockSystem {
  const settings = settingsOf(setup.connection, setup.credentials)
  const { patience } = settings
  const { clock } = setup
  const outstanding = outstandingAnswers(clock)
  const wires = bay<Device>({
    name: setup.name,
    clock,
    log: setup.log,
    offlineCode: 'lock-system-unreachable',
    busyCode: 'lock-system-busy',
    queueLimit: 20,
    backoff: { firstMs: Math.max(20, 1_000 * patience), maxMs: Math.max(200, 60_000 * patience) },
    async open(signal) {
      const wire = await setup.openWire(settings.path, { baudRate: settings.baudRate, signal })
      const opened = line(wire, patience, clock)
      return { wire, device: { ...exchanging(opened, outstanding, patience, clock), close: opened.close } }
    },
    async started(device) {
      if (!(await device.isThere())) throw new Error('the lock system does not answer')
    },
  })
  // On a serial line this is the only way to notice that the lock PC was switched off.
  const watch = clock.setInterval(look, limits.watchMs * patience)
  watch.unref()

  return {
    traits: () => traitsOf(settings),
    authorizations: [...settings.digits.keys()].sort(),
    revokes: 'unit',
    revocationReaches: 'system',
    lockCodeProblem,
    grantProblem: (grant) => grantProblem(grant, settings, setup),
    create,
    revoke,
    read,
    state: () => ({ line: wires.state(), since: wires.since, fault: wires.lastFault }),
    close() {
      watch.cancel()
      return wires.close()
    },
  }

  async function create(grant: OnlineGrant, call: LockCall) {
    expectSayable(grant)
    const fields = await ask(keyRequest(grant, settings, setup, clock.now()), call)
    return { reference: null, uid: uidOf(fields[2]) }
  }

  /** Checks out each room of the key: the lock system knows only rooms and their guests, not keys. */
  async function revoke({ grant }: HeldKey, call: LockCall): Promise<void> {
    const by = deadline(clock, call.timeoutMs)
    for (const room of new Set([grant.lock, ...grant.extraLocks])) {
      const problem = lockCodeProblem(room)
      if (problem) throw new DeviceFault('unit-unknown', problem)
      await ask(checkOutRequest(room), { ...call, timeoutMs: Math.max(1, by.left()) })
    }
  }

  async function read(word: string | null, call: LockCall) {
    const encoder = encoderNumber(word)
    if (encoder === null) throw new DeviceFault('encoder-offline', `There is no encoder ${word ?? 'named'}`)
    const request = readRequest(encoder)
    const found = readKey(await ask(request, call), setup.instantOf)
    if (!found) throw new DeviceFault('card-incompatible', 'LT: the answer describes no card')
    return found
  }

  async function ask(request: EncoderRequest, call: LockCall): Promise<readonly string[]> {
    const by = deadline(clock, call.timeoutMs)
    const outcome = await inTurn(wires, call, setup, async (device) => {
      const ended = await device.exchange(request, by)
      // Late messages on this line must not reach the next request.
      if (ended.end !== 'answered' && ended.left) wires.reset()
      return ended
    })
    return answerOf(outcome, request, settings.password)
  }

  function expectSayable(grant: OnlineGrant): void {
    const unknown = grant.authorizations.find((name) => !settings.digits.has(name))
    if (unknown !== undefined)
      throw new DeviceFault('authorization-unknown', `There is no authorization ${JSON.stringify(unknown)}`)
    const problem = grantProblem(grant, settings, setup)
    if (problem) throw new DeviceFault('unsupported-operation', problem)
  }

  function look(): void {
    if (wires.state() === 'online') wires.use((device) => device.isThere()).catch(() => {})
  }
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
