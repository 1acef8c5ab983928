import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../host/clock.ts'
import type { Client } from './client.ts'
import { atController, type StepReport, type Steps, steps } from './commission-steps.ts'
import { presentCard } from './door.ts'
import { CommandFailed } from './exit-codes.ts'
import { type Controller, chooseController } from './guest-card.ts'

export interface CommissionOptions {
  controller?: string
  dispenser?: string
  unit?: string
  /** The folder of an appliance with simulated devices, whose guests keep their cards there. */
  data?: string
  doorOpened?: 'yes' | 'no'
  json?: string
}

/** A clock that is further off makes keys that open too early or too late. */
const mostSkewMs = 60_000
const takenWithinMs = 60_000
const readyWithinMs = 10_000
const lookEveryMs = 300

/** Tries an encoder and its dispenser from end to end, one line a step; true when nothing failed. */
export async function commission(ask: Client, options: CommissionOptions): Promise<boolean> {
  const made = steps(({ step, outcome, ms, detail }) => {
    console.log(
      `${outcome.padEnd(4)}  ${step.padEnd(24)} ${ms === null ? '' : `${ms} ms`.padStart(9)}  ${detail}`,
    )
  })
  const controller = await chosen(ask, made, options)
  if (controller) {
    const stop = new AbortController()
    const interrupted = () => stop.abort()
    process.once('SIGINT', interrupted)
    try {
      await tried(ask, made, controller, options, stop.signal)
    } finally {
      process.off('SIGINT', interrupted)
      await ended(ask, made, controller)
    }
  }
  const failed = made.reports.filter(({ outcome }) => outcome === 'fail')
  const count = (outcome: string) => made.reports.filter((each) => each.outcome === outcome).length
  const verdict = failed.length === 0 ? 'passed' : `failed: ${failed.map(({ step }) => step).join(', ')}`
  console.log(`${count('pass')} passed, ${failed.length} failed, ${count('skip')} skipped: ${verdict}.`)
  if (options.json !== undefined) writeReport(options.json, failed.length === 0, controller, made.reports)
  return failed.length === 0
}

async function chosen(ask: Client, { run }: Steps, options: CommissionOptions): Promise<Controller | null> {
  const time = await run('appliance', async () => {
    const { body } = await ask<{ data: { attributes: { time: string } } }>('GET', '/api/v2/status')
    return { found: body.data.attributes.time, says: 'answers' }
  })
  if (time === null) return null
  await run('clock', async () => {
    const skew = Date.parse(time) - systemClock.now()
    const says = `${Math.round(Math.abs(skew) / 1_000)} s ${skew < 0 ? 'behind' : 'before'} this machine`
    if (Math.abs(skew) > mostSkewMs) throw new CommandFailed('refused', `The clock is ${says}.`)
    return { found: true, says }
  })
  return run('controller', async () => {
    const found = await chooseController(ask, await nameOf(ask, options))
    return { found, says: found.dispenserId ? `${found.name}, in a dispenser` : found.name }
  })
}

/** A dispenser is tried with the encoder that stands in it. */
async function nameOf(
  ask: Client,
  { controller, dispenser }: CommissionOptions,
): Promise<string | undefined> {
  if (controller !== undefined || dispenser === undefined) return controller
  const { body } = await ask<{
    data: { id: string; attributes: { name: string; controllerId: string | null } }[]
  }>('GET', '/api/config/v1/dispensers?page[size]=100')
  const found = body.data.find(({ id, attributes }) => id === dispenser || attributes.name === dispenser)
  if (!found) throw new CommandFailed('missing', `There is no dispenser ${dispenser}.`)
  if (found.attributes.controllerId) return found.attributes.controllerId
  throw new CommandFailed('missing', `No encoder stands in the dispenser ${dispenser}.`)
}

async function tried(
  ask: Client,
  made: Steps,
  controller: Controller,
  options: CommissionOptions,
  stopped: AbortSignal,
): Promise<void> {
  const { run, skip } = made
  const isOnline = await run('encoder', () => onceReady(() => identityOf(ask, controller)))
  const { dispenserId } = controller
  const levels = dispenserId
    ? await run('dispenser', () => onceReady(() => statusOf(ask, dispenserId)))
    : null
  if (!dispenserId) skip('dispenser', 'the encoder stands in none')
  if (isOnline === null || (dispenserId && levels === null) || stopped.aborted)
    return skip('cards', 'a device is not ready')
  if (dispenserId) await cycled(ask, made, controller, dispenserId)
  else
    await run('read', async () => {
      await laid('Lay a blank card on the encoder')
      const card = await atController<{ uid: string; format: string }>(ask, controller.id, 'read')
      return { found: card, says: `${card.format} ${card.uid}` }
    })
  const { unit } = options
  if (stopped.aborted || unit === undefined)
    return skip('write', unit === undefined ? 'no --unit was named' : 'interrupted')
  const isWritten = await run('write, read back, erase', async () => {
    const { uid, isErased } = await atController<{ uid: string; isErased: boolean }>(
      ask,
      controller.id,
      'card',
      unit,
    )
    if (!isErased) throw new CommandFailed('device', `The card ${uid} was not proven blank.`)
    return { found: true, says: `${uid} held the key and is blank again` }
  })
  if (isWritten && !stopped.aborted) await door(ask, made, controller, unit, options)
  else skip('door', 'no card was made')
}

/** A device that was just plugged in, or an appliance that was just started, gets a moment. */
async function onceReady<T>(look: () => Promise<T>): Promise<T> {
  const until = performance.now() + readyWithinMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      const mayCome = error instanceof CommandFailed && error.exit === 'device' && performance.now() < until
      if (!mayCome) throw error
    }
    await pause(lookEveryMs)
  }
}

interface Listed {
  data: {
    attributes: { configured: { id: string; state: string; identity: Record<string, string> | null }[] }
  }[]
}

async function identityOf(ask: Client, { id, name }: Controller) {
  const { body } = await ask<Listed>('GET', '/api/config/v1/connected-devices')
  const found = body.data.flatMap(({ attributes }) => attributes.configured).find((each) => each.id === id)
  if (found?.state !== 'online')
    throw new CommandFailed('device', `${name} is ${found?.state ?? 'not set up'}.`)
  const { model = '', firmware = '', serialNumber = '' } = found.identity ?? {}
  return { found: true, says: [model, firmware, serialNumber].filter(Boolean).join(' ') }
}

interface DispenserStatus {
  data: {
    attributes: {
      online: boolean
      overall: string
      state: string
      stacker: { level: string }
      bin: { level: string }
      counters: { captured: number }
      guestWaiting: object | null
      fault: { detail: string; recovery: string[] } | null
    }
  }
}

async function lookAt(ask: Client, id: string) {
  const path = `/api/v2/access/dispensers/${id}/status`
  return (await ask<DispenserStatus>('GET', path)).body.data.attributes
}

async function statusOf(ask: Client, id: string) {
  const { online, overall, state, fault, stacker, bin } = await lookAt(ask, id)
  if (fault) throw new CommandFailed('device', [fault.detail, ...fault.recovery].join(' '))
  if (!online || overall === 'empty' || overall === 'binFull')
    throw new CommandFailed('device', `It is ${online ? overall : state}.`)
  return { found: overall, says: `${state}, stacker ${stacker.level}, bin ${bin.level}` }
}

/** A blank card through all positions: to the encoder, where it is read, to the bin; and one to the gate and into a hand. */
async function cycled(ask: Client, made: Steps, { id }: Controller, dispenserId: string): Promise<void> {
  const { run, skip } = made
  const place = async (position: string) => {
    await ask('PUT', `/api/v2/access/dispensers/${dispenserId}/place-card/${position}`)
    return { found: true, says: `the sensors confirm ${position}` }
  }
  const isFed = await run('feed', () => place('encoder'))
  if (!isFed) return skip('read', 'no card was fed')
  await run('read', async () => {
    const card = await atController<{ uid: string; format: string; blank: boolean }>(ask, id, 'read')
    if (!card.blank) throw new CommandFailed('device', `The card ${card.uid} from the stacker is not blank.`)
    return { found: card, says: `${card.format} ${card.uid}, blank` }
  })
  await run('capture', () => place('capture'))
}

/** A real key is tried at its door: a simulated one, or by whoever stands there. */
async function door(
  ask: Client,
  { run, skip }: Steps,
  controller: Controller,
  unit: string,
  { data, doorOpened }: CommissionOptions,
): Promise<void> {
  const isAsked = process.stdin.isTTY === true
  if (data === undefined && doorOpened === undefined && !isAsked)
    return skip('door', 'nobody to try it: give --door-opened, or --data with simulated devices')
  const { dispenserId } = controller
  const before = dispenserId ? (await lookAt(ask, dispenserId)).counters.captured : 0
  const card = await run('key for the door', async () => {
    if (!dispenserId) await laid('Lay a blank card on the encoder')
    const key = await atController<{ uid: string; validUntil: string }>(ask, controller.id, 'door-card', unit)
    return { found: key, says: `${key.uid}, opens until ${key.validUntil}` }
  })
  if (!card) return skip('door', 'there is no key')
  const isTaken = dispenserId ? await run('gate', () => takenFrom(ask, dispenserId, before)) : true
  if (!isTaken) return skip('door', 'the card was not taken')
  await run('door', async () => {
    const opens =
      data === undefined
        ? (doorOpened ?? (await answered(`Does the door of ${unit} open with the card? (yes/no) `))) === 'yes'
        : presentCard(unit, { data, card: join(data, 'pocket', `${card.uid}.json`) })
    if (!opens) throw new CommandFailed('refused', `The door of ${unit} stays shut.`)
    return { found: true, says: `the door of ${unit} opens` }
  })
}

/** A card that nobody takes is captured after a while. */
async function takenFrom(ask: Client, dispenserId: string, capturedBefore: number) {
  const until = performance.now() + takenWithinMs
  for (;;) {
    const { guestWaiting, counters } = await lookAt(ask, dispenserId)
    if (counters.captured > capturedBefore || performance.now() > until)
      throw new CommandFailed('later', 'Nobody took the card.')
    if (!guestWaiting) return { found: true, says: 'the card was taken' }
    await pause(lookEveryMs)
  }
}

/** Whatever happened, no key that was made for this opens anything any more. */
async function ended(ask: Client, { run }: Steps, controller: Controller): Promise<void> {
  await run('no key left', async () => {
    if (!controller.dispenserId && process.stdin.isTTY) await laid('Lay the card on the encoder again')
    const { ended } = await atController<{ ended: { ending: string }[] }>(ask, controller.id, 'end')
    const says = ended.map(({ ending }) => ending).join(', ')
    return { found: true, says: says === '' ? 'none was live' : `its key was ${says}` }
  })
}

/** Asks for a hand where there is one to ask. */
async function laid(words: string): Promise<void> {
  if (process.stdin.isTTY) await answered(`${words}, and press Enter. `)
}

async function answered(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(question)).trim().toLowerCase()
  } finally {
    terminal.close()
  }
}

function writeReport(
  path: string,
  hasPassed: boolean,
  controller: Controller | null,
  reports: readonly StepReport[],
): void {
  const report = {
    at: new Date(systemClock.now()).toISOString(),
    controller: controller?.name ?? null,
    passed: hasPassed,
    steps: reports,
  }
  try {
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  } catch (error) {
    throw new CommandFailed('permission', `The report cannot be written: ${(error as Error).message}`)
  }
}
