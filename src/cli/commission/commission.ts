import { writeFileSync } from 'node:fs'
import { systemClock } from '../../host/clock.ts'
import { type Controller, chooseController } from '../check-in/guest-card.ts'
import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import { asksForHand } from '../hands.ts'
import { identityOf, onceReady, statusOf } from './commission-devices.ts'
import { tryDoor } from './commission-door.ts'
import { atController, type StepReport, type Steps, steps } from './commission-steps.ts'
import { checkUnits } from './commission-units.ts'

export interface CommissionOptions {
  controller?: string
  dispenser?: string
  unit?: string
  /** Maps the units without a lock by this pattern; true stands for the units' own names. */
  mapUnits?: string | true
  /** The data folder of an appliance with simulated devices. It contains the folder of the simulated guests' cards. */
  data?: string
  doorOpened?: 'yes' | 'no'
  json?: string
}

/** The largest tolerated error of the clock. With a larger error, keys open too early or too late. */
const mostSkewMs = 60_000

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Tests an encoder and its dispenser from end to end and prints one line per step. Returns true when no step failed.
 */
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
    for (const signal of signals) process.once(signal, interrupted)
    try {
      await tried(ask, made, controller, options, stop.signal)
    } finally {
      for (const signal of signals) process.off(signal, interrupted)
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

interface Status {
  time: string
  /** Absent for a role without access to the devices. */
  checks?: Record<string, { output: string | null }[]>
}

async function chosen(ask: Client, { run }: Steps, options: CommissionOptions): Promise<Controller | null> {
  const status = await run('appliance', async () => {
    const { body } = await ask<{ data: { attributes: Status } }>('GET', '/api/v2/status')
    return { found: body.data.attributes, says: 'answers' }
  })
  if (status === null) return null
  await run('clock', async () => {
    const skew = Date.parse(status.time) - systemClock.now()
    const says = `${Math.round(Math.abs(skew) / 1_000)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine`
    if (Math.abs(skew) > mostSkewMs) throw new CommandFailed('refused', `The clock is ${says}.`)
    return { found: true, says }
  })
  await run('desk telephone', async () => {
    const missing = status.checks?.['kiosk:desk-phone']?.[0]
    if (missing) throw new CommandFailed('refused', missing.output ?? 'The number is missing.')
    return { found: true, says: 'no kiosk is without the number of the desk' }
  })
  return run('controller', async () => {
    const found = await chooseController(ask, await nameOf(ask, options))
    return { found, says: found.dispenserId ? `${found.name}, with a dispenser` : found.name }
  })
}

/** Returns the name or id of the controller. For a dispenser this is the encoder in it. */
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
  throw new CommandFailed('missing', `The dispenser ${dispenser} has no encoder.`)
}

async function tried(
  ask: Client,
  made: Steps,
  controller: Controller,
  options: CommissionOptions,
  stopped: AbortSignal,
): Promise<void> {
  const { run, skip } = made
  const { mapUnits } = options
  await checkUnits(ask, made, controller, mapUnits === true ? '{name}' : mapUnits)
  const isOnline = await run('encoder', () => onceReady(() => identityOf(ask, controller)))
  const { dispenserId } = controller
  const levels = dispenserId
    ? await run('dispenser', () => onceReady(() => statusOf(ask, dispenserId)))
    : null
  if (!dispenserId) skip('dispenser', 'the encoder has no dispenser')
  if (isOnline === null || (dispenserId && levels === null) || stopped.aborted)
    return skip('cards', 'a device is not ready')
  if (dispenserId) await cycled(ask, made, controller, dispenserId)
  else
    await run('read', async () => {
      await asksForHand('Lay a blank card on the encoder')
      const card = await atController<{ uid: string; format: string }>(ask, controller.id, 'read')
      return { found: card, says: `${card.format} ${card.uid}` }
    })
  const { unit } = options
  if (stopped.aborted || unit === undefined)
    return skip('write', unit === undefined ? '--unit was not given' : 'interrupted')
  const isWritten = await run('write, verify, erase', async () => {
    const { uid, isErased } = await atController<{ uid: string; isErased: boolean }>(
      ask,
      controller.id,
      'card',
      unit,
    )
    if (!isErased) throw new CommandFailed('device', `The card ${uid} could not be verified as blank.`)
    return { found: true, says: `${uid} held the key and is blank again` }
  })
  if (isWritten && !stopped.aborted) await tryDoor(ask, made, controller, unit, options)
  else skip('door', 'no card was made')
}

/** Moves a blank card to the encoder, reads it, and captures it. */
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

/** Ends every test key, also after a failure, so that none of them opens a door. */
async function ended(ask: Client, { run }: Steps, controller: Controller): Promise<void> {
  await run('no key left', async () => {
    // Without a card on the encoder it cannot be erased. The appliance then blocks the key instead.
    if (!controller.dispenserId) await asksForHand('Lay the card on the encoder again').catch(() => {})
    const { ended } = await atController<{ ended: { ending: string }[] }>(ask, controller.id, 'end')
    const says = ended.map(({ ending }) => ending).join(', ')
    return { found: true, says: says === '' ? 'none was live' : `its key was ${says}` }
  })
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
