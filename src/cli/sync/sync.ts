import { type Client, type Item, itemsOf } from '../client.ts'
import { CommandFailed, exits } from '../exit-codes.ts'

export interface SyncOptions {
  pms?: string
  json?: boolean
}

/** The side that wins a conflict. */
export interface Choice {
  id: string
  counts: 'Pms' | 'Local'
}

type State = Item<{
  name: string
  isKeptInStep: boolean
  state: string
  fault: string | null
  inStepAt: string | null
  outbox: number | null
  inboxLag: number | null
  conflicts: number | null
  quarantined: number | null
}>

const base = '/api/config/v1'

/**
 * Prints one line per PMS and what needs a person. Sets exit code 75 when a PMS is disconnected or something is
 * pending.
 */
export async function showStatus(ask: Client, options: SyncOptions): Promise<void> {
  const states = await statesOf(ask, options)
  show(options, states, () => states.flatMap(linesOf))
  if (!states.every(isInStep)) process.exitCode = exits.later[0]
}

function isInStep({ attributes: { state, outbox, inboxLag, conflicts, quarantined } }: State): boolean {
  return (
    state === 'connected' && [outbox, inboxLag, conflicts, quarantined].every((count) => (count ?? 0) === 0)
  )
}

function linesOf({ attributes }: State): string[] {
  const { name, state, fault, outbox, inboxLag, conflicts, quarantined, inStepAt } = attributes
  const since = inStepAt ? `, synchronised at ${inStepAt}` : ', not synchronised yet'
  return [
    `${name}: ${state}${(inboxLag ?? 0) > 0 ? `, ${inboxLag} s behind` : since}`,
    ...(fault ? [`  ${fault}`] : []),
    ...((outbox ?? 0) > 0 ? [`  ${reservations(outbox ?? 0)} to be sent to it`] : []),
    ...((quarantined ?? 0) > 0
      ? [`  ${quarantined} of its messages could not be processed (quarantined)`]
      : []),
    ...((conflicts ?? 0) > 0
      ? [`  ${conflicts} ${conflicts === 1 ? 'conflict' : 'conflicts'} to check: nightporter sync conflicts`]
      : []),
  ]
}

const reservations = (count: number) => (count === 1 ? '1 reservation waits' : `${count} reservations wait`)

/** Executes a synchronisation command for each PMS and prints the counts. */
export async function runSyncRequest(
  ask: Client,
  action: 'pull' | 'push' | 'full-load',
  options: SyncOptions,
): Promise<void> {
  const done: ({ id: string; name: string } & Record<string, string | number>)[] = []
  for (const { id, attributes } of await statesOf(ask, options)) {
    const path = `${base}/pms-configurations/${id}/actions/${action}`
    const { body } = await ask<{ meta: { counts: Record<string, number> } }>('POST', path, {
      withinMs: 600_000,
    })
    done.push({ id, name: attributes.name, ...body.meta.counts })
  }
  show(options, done, () => done.map(({ id: _, name, ...counts }) => `${name}: ${inWords(counts)}`))
}

function inWords(counts: Record<string, string | number>): string {
  const some = Object.entries(counts).filter(([, count]) => Number(count) > 0)
  return some.length > 0 ? some.map(([what, count]) => `${count} ${what}`).join(', ') : 'nothing new'
}

interface Conflict {
  configurationId: string
  sentence: string
  counts: string
}

/** Makes the given choices, then lists the open conflicts. Sets exit code 1 while there are any. */
export async function showConflicts(
  ask: Client,
  options: SyncOptions & { choose?: Choice[] },
): Promise<void> {
  for (const { id, counts } of options.choose ?? []) {
    await ask('POST', `${base}/sync-conflicts/${id}/actions/choose`, { body: { counts } })
  }
  const states = await statesOf(ask, options)
  const all = itemsOf<Conflict>(ask, `${base}/sync-conflicts?filter[state]=open&page[size]=100`)
  const isShown = ({ attributes }: Item<Conflict>) =>
    states.some(({ id }) => id === attributes.configurationId)
  const open = (await Array.fromAsync(all)).filter(isShown)
  show(options, open, () =>
    open.map(({ id, attributes }) => `${id}\t${attributes.counts}\t${attributes.sentence}`),
  )
  if (open.length > 0) process.exitCode = exits.refused[0]
}

/**
 * Returns the state of each synchronised PMS, or of the named one. Throws CommandFailed `missing` when there is none.
 */
async function statesOf(ask: Client, { pms }: SyncOptions): Promise<State[]> {
  const states: State[] = []
  const rows = itemsOf<{ name: string }>(ask, `${base}/pms-configurations?page[size]=100`)
  for await (const { id, attributes } of rows) {
    if (pms && id !== pms && attributes.name !== pms) continue
    const { body } = await ask<{ data: State }>('GET', `${base}/pms-configurations/${id}/sync`)
    if (body.data.attributes.isKeptInStep) states.push(body.data)
  }
  if (states.length > 0) return states
  throw new CommandFailed(
    'missing',
    pms ? `No synchronised PMS is called ${pms}.` : 'No PMS is synchronised.',
  )
}

function show(options: SyncOptions, value: unknown, lines: () => string[]): void {
  console.log(options.json ? JSON.stringify(value, null, 2) : lines().join('\n'))
}
