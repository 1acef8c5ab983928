import type { CardLockSystem, Grant } from '../devices/capability.ts'
import { DeviceFault, type FaultCode } from '../devices/fault.ts'
import type { Keeping } from '../jsonapi/resource-routes.ts'
import { type Settings, settings } from '../reservation/resources/settings.ts'
import type { Document, WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource, Row } from '../resource/resource.ts'
import { backInService } from './accept-return.ts'
import { awaitTaken } from './await-taken.ts'
import { deviceProblem, faultBehind } from './device-problem.ts'
import { type DispenserHandle, type EncoderHandle, type Handles, handles, type Workshop } from './handles.ts'
import { issueCard, type Progress, type Station } from './issue-card.ts'
import type { KeyBegun, KeyOrder } from './key-changes.ts'
import { lockSystems } from './lock-systems.ts'
import { standing, suspect } from './machine-health.ts'
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
  const systems = lockSystems(workshop, () => house().timeZone)
  const open: Handles = handles(workshop, (handle, machine) =>
    settleDispenser({ reader, door, encoderOf, waiting }, handle, machine),
  )
  /** Requests may arrive before what an earlier life left open is settled. */
  const settled = Promise.withResolvers<void>()
  /** How many are at a controller, the one at work included. */
  const queues = new Map<string, number>()

  /** Opens every device there is, and settles what was left of an earlier life. */
  async function start(): Promise<void> {
    await settleDesk({ reader, door })
    settled.resolve()
    // Nobody waits for that card any more.
    for (const row of all(dispenser))
      if (row.commandedState === 'accepting') await backInService({ door }, row.id)
    for (const row of all(dispenser)) open.dispenser(row)
    for (const row of all(accessController)) if (row.device?.path) open.encoder(row)
  }

  function encoderOf(dispenserId: string): { encoder: EncoderHandle; system: CardLockSystem } | null {
    const controller = controllerOf(dispenserId)
    if (!controller?.device?.path) return null
    return { encoder: open.encoder(controller), system: systems.card(providerOf(controller)) }
  }

  /** The controller whose encoder stands in the dispenser. */
  function controllerOf(dispenserId: string): AccessController | null {
    return all(accessController).find((row) => row.dispenserId === dispenserId) ?? null
  }

  function waiting(handle: DispenserHandle, runId: string | null): void {
    if (handle.guest?.runId !== runId) watch(handle, dispenserBy(handle.id), runId)
  }

  /** From now on the machine is busy with its guest. */
  function watch(handle: DispenserHandle, row: Dispenser, runId: string | null): void {
    void awaitTaken(door, handle, row, runId, { failed, actor: { by: 'card-way', requestId: null } })
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

  /** The controller's encoder for one piece of work, alone, with the card in front of it. */
  function atEncoder<T>(controller: AccessController, work: (station: Station) => Promise<T>): Promise<T> {
    return inLine(controller, () =>
      onEncoder(controller, (station) => {
        // Who reads or erases the card that lies there means that card.
        station.desk.issued = null
        return work(station)
      }),
    )
  }

  /** Rejects with encoder-busy when `queueLimit` others wait behind the one at work. */
  async function inLine<T>({ id, name, queueLimit }: AccessController, work: () => Promise<T>): Promise<T> {
    const before = queues.get(id) ?? 0
    if (before > (queueLimit ?? 5))
      throw new DeviceFault('encoder-busy', `${name}: ${before - 1} are waiting already.`)
    queues.set(id, before + 1)
    try {
      return await work()
    } finally {
      queues.set(id, (queues.get(id) ?? 1) - 1)
    }
  }

  async function onEncoder<T>(
    controller: AccessController,
    work: (station: Station) => Promise<T>,
  ): Promise<T> {
    await settled.promise
    const system = systems.card(providerOf(controller))
    const desk = open.encoder(controller)
    const { bay } = desk
    try {
      return await bay.use((encoder) => work({ controller, encoder, system, dispenser: null, desk }))
    } catch (error) {
      suspect(bay, 'encoder', error)
      throw error
    }
  }

  /** Makes a card through a controller, from its dispenser if it has one. An answer leaves within its `timeoutMs`. */
  async function issue(
    controller: AccessController,
    order: KeyOrder,
    options: WriteOptions,
  ): Promise<Document> {
    if (options.dryRun)
      throw new Problem('unknown-parameter', 'A card cannot be made on trial.', { parameter: 'dryRun' })
    const progress: Progress = { step: 'queued', begun: null, uid: null, late: false }
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
    const make = async (station: Station) =>
      answeredMeanwhile(options) ?? (await issueCard(door, station, order, grantOf, options, progress))
    const made = inLine(controller, () =>
      controller.dispenserId
        ? fromDispenser(controller, controller.dispenserId, make, progress)
        : onEncoder(controller, make),
    )
    return inTime(made, controller, progress, failed)
  }

  /** The same request may have been carried out while this one waited for its turn. */
  function answeredMeanwhile({ idempotency }: WriteOptions): Document | null {
    const today = now() - 86_400_000
    const before = idempotency ? reader.answered(idempotency.key, today) : null
    return before?.fingerprint === idempotency?.fingerprint
      ? ((before?.output ?? null) as Document | null)
      : null
  }

  async function fromDispenser(
    controller: AccessController,
    dispenserId: string,
    make: (station: Station) => Promise<Document>,
    progress: Progress,
  ): Promise<Document> {
    const handle = open.dispenser(dispenserBy(dispenserId))
    refuseUnfit(dispenserBy(dispenserId), handle)
    try {
      return await open.make(handle, (machine) =>
        onEncoder(controller, async (station) => {
          const row = dispenserBy(dispenserId)
          refuseUnfit(row, handle)
          handle.activity = 'dispensing'
          try {
            const document = await make({ ...station, dispenser: { handle, machine } })
            if (progress.begun) watch(handle, row, progress.begun.runId)
            return document
          } finally {
            handle.activity = null
          }
        }),
      )
    } catch (error) {
      suspect(handle.bay, 'dispenser', error)
      throw standing(handle, error)
    }
  }

  async function close(): Promise<void> {
    await open.close()
    await systems.close()
  }

  return {
    start,
    close,
    issue,
    atEncoder,
    controllerBy,
    controllerOf,
    providerOf,
    dispenserBy,
    house,
    systems,
    workshop,
    /** How many are at a controller, the one at work included. */
    queued: (controllerId: string) => queues.get(controllerId) ?? 0,
    open,
    reader,
    door,
    now,
    failed,
  }
}

export type Access = ReturnType<typeof access>

/** A dispenser gives out a card when it is in service and nobody's card waits at its gate. */
function refuseUnfit({ commandedState }: Dispenser, { guest }: DispenserHandle): void {
  if ((commandedState ?? 'active') !== 'active') {
    throw new DeviceFault('dispenser-inactive', `The dispenser is ${commandedState}.`)
  }
  if (guest) {
    throw new Problem('dispenser-busy-with-guest', 'A card waits at the gate for its guest.', {
      meta: { retryAfterSeconds: 3, until: new Date(guest.deadline).toISOString() },
    })
  }
}

/**
 * The caller always gets an answer. What was not verified by then is not made any more: the card is captured. One that
 * is on its way to the gate goes on, and its end is written down all the same.
 */
async function inTime(
  made: Promise<Document>,
  { timeoutMs, name }: AccessController,
  progress: Progress,
  failed: (error: unknown) => void,
): Promise<Document> {
  const limit = timeoutMs ?? 18_000
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    progress.late = true
    const { step, begun } = progress
    const fault = new DeviceFault(
      lateCodes[step],
      `Controller ${name} gave no answer within ${limit / 1000} s.`,
    )
    late.reject(deviceProblem(fault, begun ? { keyId: begun.keyId, step } : { step }))
    made.catch((error) => faultBehind(error) ?? (error instanceof Problem || failed(error)))
  }, limit)
  try {
    return await Promise.race([made, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** What an answer says that cannot wait for the end. Before the first byte is written nothing can come of it. */
const lateCodes: Record<Progress['step'], FaultCode> = {
  queued: 'encoder-busy',
  asked: 'encoder-timeout',
  feeding: 'dispenser-timeout',
  searching: 'encoder-timeout',
  writing: 'encoder-timeout-writing',
  proving: 'encoder-timeout-writing',
  verified: 'dispenser-timeout',
  presenting: 'dispenser-timeout',
  done: 'dispenser-timeout',
}
