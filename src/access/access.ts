import type { CardDispenser, Grant } from '../devices/capability.ts'
import { DeviceFault } from '../devices/fault.ts'
import type { Keeping } from '../jsonapi/resource-routes.ts'
import { type Settings, settings } from '../reservation/resources/settings.ts'
import type { Document, WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource, Row } from '../resource/resource.ts'
import { awaitTaken } from './await-taken.ts'
import { deviceProblem } from './device-problem.ts'
import { type DispenserHandle, type EncoderHandle, type Handles, handles, type Workshop } from './handles.ts'
import { issueCard, type Progress, type Station } from './issue-card.ts'
import type { KeyBegun, KeyOrder } from './key-changes.ts'
import { type AccessController, accessController } from './resources/access-controller.ts'
import { type AccessProvider, accessProvider } from './resources/access-provider.ts'
import { type Dispenser, dispenser } from './resources/dispenser.ts'
import { settleDesk, settleDispenser } from './settle.ts'

export interface AccessOptions {
  keeping: Keeping
  workshop: Workshop
  /** Told of what is no device's failure and nobody waits for. */
  failed(error: unknown): void
}

/** The access room at work: its devices, and the cards on their way. */
export function access({ keeping, workshop, failed }: AccessOptions) {
  const { reader, door } = keeping
  const { now } = workshop
  const open: Handles = handles(workshop, (dispenserId, machine) =>
    settleDispenser({ reader, door, encoderOf, waiting }, dispenserId, machine),
  )

  /** Opens every device there is, and settles what was left of an earlier life. */
  async function start(): Promise<void> {
    await settleDesk({ reader, door })
    for (const row of all(dispenser)) open.dispenser(row)
    for (const row of all(accessController)) if (row.device?.path) open.encoder(row)
  }

  function encoderOf(
    dispenserId: string,
  ): { encoder: EncoderHandle; system: ReturnType<Handles['lockSystem']> } | null {
    const controller = all(accessController).find((row) => row.dispenserId === dispenserId)
    if (!controller?.device?.path) return null
    return { encoder: open.encoder(controller), system: open.lockSystem(providerOf(controller)) }
  }

  function waiting(dispenserId: string, card: { runId: string; keyId: string }): void {
    const row = dispenserBy(dispenserId)
    const handle = open.dispenser(row)
    void handle.bay
      .ready(60_000)
      .then(() => watch(handle, row, card))
      .catch(failed)
  }

  function watch(
    handle: DispenserHandle,
    row: Dispenser,
    card: { runId: string; keyId: string },
  ): Promise<void> {
    return awaitTaken(door, handle, row, card, { now, failed, actor: { by: 'card-way', requestId: null } })
  }

  function all<R extends Resource>(resource: R): Row<R['fields']>[] {
    return reader.rows(resource, {
      filters: [],
      sort: [],
      page: { size: 1000 },
    })
  }

  function controllerBy(id: string): AccessController {
    const row = reader.row(accessController, id)
    if (!row) throw new Problem('controller-not-found', 'There is no such controller.')
    return row
  }

  function providerOf({ providerId }: AccessController): AccessProvider {
    return reader.row(accessProvider, providerId)!
  }

  function dispenserBy(id: string): Dispenser {
    const row = reader.row(dispenser, id)
    if (!row) throw new Problem('not-found', 'There is no such dispenser.')
    return row
  }

  function house(): Settings {
    return all(settings)[0]!
  }

  /** The controller's encoder for one piece of work, alone, with the card in front of it where there is no dispenser. */
  function atEncoder<T>(controller: AccessController, work: (station: Station) => Promise<T>): Promise<T> {
    const system = open.lockSystem(providerOf(controller))
    return open
      .encoder(controller)
      .bay.use((encoder) => work({ controller, encoder, system, dispenser: null }))
  }

  /** Makes a card through a controller, from its dispenser if it has one. An answer leaves within its `timeoutMs`. */
  async function issue(
    controller: AccessController,
    order: KeyOrder,
    options: WriteOptions,
  ): Promise<Document> {
    const progress: Progress = { step: 'asked', keyId: null }
    const grantOf = ({ sequence, copy, credential }: KeyBegun): Grant => ({
      lock: order.lock,
      sequence,
      copy,
      usage: order.request.usage,
      authorizations: order.authorizations,
      validFrom: order.validFrom,
      validUntil: order.validUntil,
      credential,
    })
    const made = withStation(controller, (station) =>
      issueCard(door, station, order, grantOf, options, progress),
    )
    return inTime(made, controller, progress)
  }

  async function withStation(
    controller: AccessController,
    work: (station: Station) => Promise<Document>,
  ): Promise<Document> {
    if (!controller.dispenserId) return atEncoder(controller, work)
    const row = dispenserBy(controller.dispenserId)
    const handle = open.dispenser(row)
    refuseUnfit(row, handle)
    const document = await handle.bay.use((machine: CardDispenser) =>
      atEncoder(controller, async (station) => {
        refuseUnfit(dispenserBy(row.id), handle)
        handle.activity = 'dispensing'
        try {
          const made = await work({ ...station, dispenser: { handle, machine } })
          handle.guest = {
            runId: '',
            since: now(),
            deadline: now() + (row.presentTimeoutSeconds ?? 30) * 1000,
          }
          return made
        } finally {
          handle.activity = null
        }
      }),
    )
    const [run] = openRunOf(document.id)
    if (run) void watch(handle, row, { runId: run, keyId: document.id })
    else handle.guest = null
    return document
  }

  function openRunOf(keyId: string): string[] {
    const filters = [
      { path: 'keyId', operator: 'eq' as const, value: keyId },
      { path: 'step', operator: 'ne' as const, value: 'ended' },
    ]
    const resource = keeping.resources.get('card-run')!
    return reader.rows(resource, { filters, sort: [], page: { size: 1 } }).map(({ id }: Row) => id)
  }

  function close(): Promise<void> {
    return open.close()
  }

  return {
    start,
    close,
    issue,
    atEncoder,
    controllerBy,
    providerOf,
    dispenserBy,
    house,
    open,
    reader,
    door,
    now,
  }
}

export type Access = ReturnType<typeof access>

/** A dispenser gives out a card when it is in service, well, and nobody's card waits at its gate. */
export function refuseUnfit({ commandedState }: Dispenser, { guest, fault }: DispenserHandle): void {
  if ((commandedState ?? 'active') !== 'active') {
    throw deviceProblem(new DeviceFault('dispenser-inactive', `The dispenser is ${commandedState}.`))
  }
  if (guest) {
    throw new Problem('dispenser-busy-with-guest', 'A card waits at the gate for its guest.', {
      meta: { retryAfterSeconds: 3, until: new Date(guest.deadline).toISOString() },
    })
  }
  if (fault) throw deviceProblem(fault.fault)
}

/** The caller always gets an answer; the card goes on its way, and its end is written down all the same. */
async function inTime(
  made: Promise<Document>,
  { timeoutMs, name }: AccessController,
  progress: Progress,
): Promise<Document> {
  const limit = timeoutMs ?? 18_000
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const writing = ['writing', 'proving', 'verified'].includes(progress.step)
    const moving = progress.step === 'feeding' || progress.step === 'presenting'
    const code = writing ? 'encoder-timeout-writing' : moving ? 'dispenser-timeout' : 'encoder-timeout'
    const detail = `Controller ${name} gave no answer within ${limit / 1000} s.`
    late.reject(deviceProblem(new DeviceFault(code, detail), { keyId: progress.keyId, step: progress.step }))
  }, limit)
  try {
    return await Promise.race([made, late.promise])
  } finally {
    clearTimeout(timer)
    made.catch(() => {})
  }
}
