import { systemClock } from '../../host/clock.ts'
import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

const path = '/api/config/v1/update'
const lookEveryMs = 2_000
/** Loading a channel over a slow line. */
const withinMs = 180_000

interface Attributes {
  version: string
  slot: string | null
  isImage: boolean
  channel: string
  source: string | null
  folder: string | null
  heldUntil: string | null
  checkedAt: string | null
  problems: string[]
  available: {
    version: string
    security: boolean
    notes: string
    percentOfBoxes: number
    isOurTurn: boolean
  } | null
  progress: {
    version: string | null
    from: string
    step: string
    percent: number | null
    waitsFor: string | null
    missing: string[]
  } | null
  last: {
    version: string | null
    from: string
    result: string
    endedAt: string
    seconds: number
    reason: string | null
  } | null
}

interface Update {
  data: { attributes: Attributes }
}

/** Prints the state of the updates. */
export async function showUpdate(ask: Client, { json }: { json?: true }): Promise<void> {
  const { body } = await ask<Update>('GET', path)
  if (json) console.log(JSON.stringify(body, null, 2))
  else print(body.data.attributes)
}

/** Reads the sources, and prints what they offer. */
export async function checkNow(ask: Client): Promise<void> {
  const { body } = await ask<Update>('POST', `${path}/actions/check`, { withinMs })
  print(body.data.attributes)
}

/** Begins an update, and prints its steps until the box restarts. Throws CommandFailed `refused` when it fails before. */
export async function installUpdate(
  ask: Client,
  { inWindow, withoutBackup, wait }: { inWindow?: true; withoutBackup?: true; wait: boolean },
): Promise<void> {
  const asked = { when: inWindow ? 'window' : 'now', withoutBackup: withoutBackup ?? false }
  const { body } = await ask<Update>('POST', `${path}/actions/install`, { body: asked, withinMs })
  let found = body.data.attributes
  if (!wait) return print(found)
  for (let printed = ''; found.progress; ) {
    const line = progressLine(found.progress)
    if (line !== printed) console.log(line)
    printed = line
    if (found.progress.step === 'restarting')
      return console.log(
        'The box restarts. "nightporter update status" says afterwards how the update has ended.',
      )
    await systemClock.sleep(lookEveryMs)
    found = (await ask<Update>('GET', path)).body.data.attributes
  }
  throw new CommandFailed('refused', found.last?.reason ?? 'The update has ended.')
}

/** Puts updates off. */
export async function holdUpdates(ask: Client, days: number): Promise<void> {
  const { body } = await ask<Update>('POST', `${path}/actions/hold`, { body: { days } })
  const { heldUntil } = body.data.attributes
  console.log(heldUntil ? `The box installs nothing by itself until ${heldUntil}.` : 'Nothing is put off.')
}

/** Keeps the version that is on trial. */
export async function confirmUpdate(ask: Client): Promise<void> {
  print((await ask<Update>('POST', `${path}/actions/confirm`)).body.data.attributes)
}

function print(found: Attributes): void {
  const { version, slot, isImage, channel, available, progress, last, heldUntil, checkedAt, problems } = found
  const { source, folder } = found
  const lines: [string, string | null | undefined][] = [
    ['version', isImage ? `${version}, slot ${slot}` : `${version}, not from an image`],
    ['channel', `${channel}, ${[source, folder].filter(Boolean).join(', ') || 'no source'}`],
    ['checked', checkedAt],
    [
      'available',
      available && `${available.version}${available.security ? ' (security)' : ''}: ${available.notes}`,
    ],
    [
      'roll-out',
      available && !available.isOurTurn && `${available.percentOfBoxes} of 100 boxes, not this one yet`,
    ],
    ['put off until', heldUntil],
    ['progress', progress && progressLine(progress)],
    ...(progress?.missing ?? []).map((each) => ['missing', each] as [string, string]),
    [
      'last update',
      last &&
        `${last.version ?? '?'} from ${last.from}: ${last.result} ${last.endedAt}, after ${last.seconds} s`,
    ],
    ['reason', last?.reason],
    ...problems.map((each) => ['problem', each] as [string, string]),
  ].map(([name, value]) => [name as string, (value || null) as string | null])
  for (const [name, value] of lines)
    if (value) console.log(`${name.padEnd(15)}${value.replaceAll('\n', `\n${' '.repeat(15)}`)}`)
}

function progressLine({ version, step, percent, waitsFor }: NonNullable<Attributes['progress']>): string {
  const done = percent === null ? '' : ` ${percent} %`
  return `${version ?? '?'}: ${step}${done}${waitsFor ? `. ${waitsFor}` : ''}`
}
