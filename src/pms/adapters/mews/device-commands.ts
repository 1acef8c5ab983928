import { DeviceFault } from '../../../devices/fault.ts'
import type { ServiceRequest } from '../../../devices/key-service.ts'
import { localDate, localTime } from '../../../host/zone.ts'
import type { OrderKey } from '../../contract.ts'
import { type MewsCall, type MewsClient, MewsRefusal } from './client.ts'
import type { LookupSource } from './lookups.ts'
import type { MewsCommand } from './records.ts'

interface DeviceCommandOptions {
  client: MewsClient
  lookups: LookupSource
  /** The key cutters of Mews that are encoders here. */
  encoders: Parameters<OrderKey>[0]['encoders']
  orderKey: OrderKey
  timeZone(): string
  now(): number
  /** The deadline of one request. */
  call(): MewsCall
  failed(error: unknown): void
}

/** Nobody waits at the encoder any longer for a key that was ordered earlier. */
const longestWaitMs = 120_000
const mostKeys = 10
const way = 'mews'

interface Outcome {
  State: 'Received' | 'Processed' | 'Cancelled' | 'Error'
  /** A sentence for the front desk of Mews. */
  Notes?: string
}

const unknownOutcome = 'It is not known whether the key was made. Look at the encoder, then order it again.'
const tooLate = 'The encoder was away when this key was ordered. Order it again.'

/**
 * Makes the keys that the front desk orders at Mews. Mews repeats nothing and gives no command a lease. So a command is set to
 * Received before the encoder begins: one that has this state at another time was begun before, and is never carried out
 * again.
 */
export function deviceCommands(options: DeviceCommandOptions) {
  const { client, encoders, call } = options
  /** Work in progress: one command after the other at each encoder. */
  const queues = new Map<string, Promise<unknown>>()
  const taken = new Set<string>()
  /** What became of a command, until Mews knows it. */
  const unreported = new Map<string, Outcome>()

  /** Never rejects. */
  async function fetch(operation: string, body: Record<string, unknown>): Promise<void> {
    try {
      const { Commands = [] } = await client.ask<{ Commands?: MewsCommand[] }>(operation, body, call())
      await Promise.all(Commands.filter(isOurs).map(inTurn))
    } catch (error) {
      // The line is down, or Mews has ended the command: what is open is fetched with the next connection.
      if (!(error instanceof DeviceFault || error instanceof MewsRefusal)) options.failed(error)
    }
  }

  const isOurs = ({ Id, State, Device, Data }: MewsCommand) =>
    Device?.Type === 'KeyCutter' &&
    (State === 'Pending' || State === 'Received') &&
    !taken.has(Id) &&
    encoders.some(({ code }) => code === codeOf({ Device, Data }))

  function inTurn(command: MewsCommand): Promise<unknown> {
    const code = codeOf(command)
    taken.add(command.Id)
    const mine = (queues.get(code) ?? Promise.resolve())
      .catch(() => {})
      .then(() => carryOut(command, code))
      .finally(() => taken.delete(command.Id))
    queues.set(code, mine)
    return mine
  }

  async function carryOut(command: MewsCommand, encoder: string): Promise<void> {
    const outcome = unreported.get(command.Id) ?? (await outcomeOf(command, encoder))
    unreported.set(command.Id, outcome)
    await report(command, outcome).catch((error) => {
      // Mews has ended the command, and will never take its outcome.
      if (!(error instanceof MewsRefusal)) throw error
    })
    unreported.delete(command.Id)
  }

  async function outcomeOf(command: MewsCommand, encoder: string): Promise<Outcome> {
    if (command.State !== 'Pending') return { State: 'Error', Notes: unknownOutcome }
    const age = (client.answeredAt() ?? options.now()) - Date.parse(command.CreatedUtc)
    if (age > longestWaitMs) return { State: 'Cancelled', Notes: tooLate }
    const requests = await keyRequests(command, encoder, options)
    if (typeof requests === 'string') return { State: 'Error', Notes: requests }
    await report(command, { State: 'Received' })
    return made(requests)
  }

  /** Makes the keys of one command, until one fails. */
  async function made(requests: readonly ServiceRequest[]): Promise<Outcome> {
    for (const [at, request] of requests.entries()) {
      const answer = await options.orderKey({ way, encoders }, request)
      if (answer.outcome === 'done') continue
      const before = at === 0 ? '' : `${at} of ${requests.length} keys were made. `
      return { State: 'Error', Notes: `${before}${answer.text}` }
    }
    return { State: 'Processed' }
  }

  async function report({ Id: CommandId }: MewsCommand, outcome: Outcome): Promise<void> {
    await client.ask('commands/update', { CommandId, ...outcome }, { ...call(), changes: true })
  }

  return {
    /** A command was created. */
    ordered: (CommandId: string) => fetch('commands/getAllByIds', { CommandIds: [CommandId] }),
    /** Carries out what is waiting, after a time without a connection. */
    catchUp: () => fetch('commands/getAllActive', {}),
    /** True while the result of a command could not be sent to Mews. */
    isOwing: () => unreported.size > 0,
  }
}

/** What the property calls the key cutter: its identifier, else its name. */
function codeOf({ Device, Data }: Pick<MewsCommand, 'Device' | 'Data'>): string {
  return Data?.KeyCutterId || Device.Name || ''
}

/** The keys of a command, an original and its copies; a sentence for a command that cannot be carried out. */
async function keyRequests(
  { Data }: MewsCommand,
  encoder: string,
  { lookups, timeZone, call }: Pick<DeviceCommandOptions, 'lookups' | 'timeZone' | 'call'>,
): Promise<ServiceRequest[] | string> {
  const [from, until] = [Date.parse(Data.StartUtc), Date.parse(Data.EndUtc)]
  if (Number.isNaN(from) || Number.isNaN(until)) return 'StartUtc or EndUtc is not a time.'
  const known = await lookups.cached(call())
  // A property may enter the names of its rooms as the ids of locks, or leave the ids of Mews.
  const [unit, ...extraUnits] = (Data.LockIds ?? []).map((id) => known.unitName(id) ?? id)
  if (unit === undefined) return 'The command names no lock. Set up the locks of the rooms in Mews.'
  const count = Data.KeyCount
  if (!Number.isInteger(count) || count < 1 || count > mostKeys) return `KeyCount is ${count}.`
  const zone = timeZone()
  const request = {
    kind: 'create',
    encoder,
    unit,
    extraUnits,
    reservation: Data.ReservationId ?? null,
    from: localDate(from, zone),
    until: localDate(until, zone),
    untilTime: localTime(until, zone),
    on: [],
    off: [],
  } as const
  return Array.from({ length: count }, (_, at) => ({ ...request, key: at === 0 ? 'original' : 'copy' }))
}
