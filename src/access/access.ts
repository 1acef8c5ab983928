import { DeviceFault } from '../devices/fault.ts'
import type { Keeping } from '../jsonapi/resource-routes.ts'
import { keptSettings } from '../reservation/kept-settings.ts'
import type { Settings } from '../reservation/resources/settings.ts'
import { answersSince } from '../resource/answers-since.ts'
import type { Document, WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource, Row } from '../resource/resource.ts'
import { type Antenna, antennaOf } from './cards/antenna.ts'
import { expectAwaited } from './cards/card-maker.ts'
import { trialOver } from './cards/clear-card.ts'
import { type CardAtGate, watchGate } from './cards/gate.ts'
import type { Progress, Station } from './cards/issue-card.ts'
import { makeCard } from './cards/make-card.ts'
import { recoverDesk, recoverDispenser } from './cards/recover-dispenser.ts'
import { backInService } from './dispensers/accept-return.ts'
import { suspect } from './dispensers/machine-health.ts'
import { foundController } from './equipment/controller-alarms.ts'
import { type DispenserHandle, type Handles, handles, type Workshop } from './equipment/handles.ts'
import { chase } from './keys/chase.ts'
import { inTime } from './keys/in-time.ts'
import { issuePin } from './keys/issue-pin.ts'
import type { KeyOrder } from './keys/key-order.ts'
import { type Reconciling, reconcile } from './keys/reconcile.ts'
import { workLines } from './keys/work-lines.ts'
import { lockSystems } from './locks/lock-systems.ts'
import { expectPlausible } from './plausible-clock.ts'
import { type AccessController, accessController } from './resources/access-controller.ts'
import { type AccessProvider, accessProvider } from './resources/access-provider.ts'
import { type Dispenser, dispenser } from './resources/dispenser.ts'

interface AccessOptions {
  keeping: Keeping
  workshop: Workshop
  /** Told of what is no device's failure and nobody waits for. */
  failed(error: unknown): void
}

/** The access room at work: its devices, and the cards on their way. */
export function access({ keeping, workshop, failed }: AccessOptions) {
  const { reader, door } = keeping
  const { clock } = workshop
  const { now } = clock
  const systems = lockSystems({ workshop, door, failed }, () => house().timeZone)
  const open: Handles = handles(workshop, (handle, machine) =>
    recoverDispenser({ reader, door, antennaIn, waiting }, handle, machine),
  )
  /** Requests may arrive before what an earlier life left open is settled. */
  const settled = Promise.withResolvers<void>()
  const lines = workLines()

  /** Opens every device there is, and settles what was left of an earlier life. */
  async function start(): Promise<void> {
    await recoverDesk({ reader, door })
    settled.resolve()
    // Nobody waits for that card any more.
    for (const row of all(dispenser))
      if (row.commandedState === 'accepting') await backInService({ door }, row.id)
    for (const row of all(dispenser)) open.dispenser(row)
    for (const row of all(accessController)) if (row.device?.path) open.encoder(row)
    chasing.start()
  }

  /** The antenna of ours in a dispenser; null where there is none. */
  function antennaIn(dispenserId: string): Antenna | null {
    const controller = controllerOf(dispenserId)
    if (!controller?.device?.path) return null
    const found = systems.of(providerOf(controller))
    return found.kind === 'online'
      ? null
      : antennaOf(controller.providerId, { encoder: open.encoder(controller), system: found.system })
  }

  /** The controller whose encoder stands in the dispenser. */
  function controllerOf(dispenserId: string): AccessController | null {
    return all(accessController).find((row) => row.dispenserId === dispenserId) ?? null
  }

  function waiting(handle: DispenserHandle, runId: string | null): void {
    watch(handle, dispenserBy(handle.id), { runId })
  }

  /** From now on the machine is busy with whoever is to take the card at its gate. */
  function watch(handle: DispenserHandle, row: Dispenser, card: CardAtGate): void {
    void watchGate({ reader, door, antennaIn, failed }, handle, row, card)
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
    return keptSettings(reader)!
  }

  /** The controller's encoder for one piece of work, alone, with the card in front of it. */
  function atEncoder<T>(controller: AccessController, work: (station: Station) => Promise<T>): Promise<T> {
    return lines.inLine(controller, () =>
      onEncoder(controller, (station) => {
        // Who reads or erases the card that lies there means that card.
        station.desk.issued = null
        return work(station)
      }),
    )
  }

  /** The same for whoever has his turn already. */
  async function onEncoder<T>(
    controller: AccessController,
    work: (station: Station) => Promise<T>,
  ): Promise<T> {
    await settled.promise
    const system = systems.card(providerOf(controller))
    // An encoder on the line of its dispenser is there when that one is.
    if (controller.dispenserId) open.dispenser(dispenserBy(controller.dispenserId))
    const desk = open.encoder(controller)
    const { bay } = desk
    try {
      return await bay.use((encoder) => work({ controller, encoder, system, dispenser: null, desk, clock }))
    } catch (error) {
      suspect(bay, 'encoder', error)
      throw error
    }
  }

  /**
   * Makes a key through a controller: a card, from its dispenser if it has one, or a PIN. An answer leaves within its
   * `timeoutMs`.
   */
  function issue(controller: AccessController, order: KeyOrder, options: WriteOptions): Promise<Document> {
    return atWork(controller, options, (progress) => makeKey(controller, order, options, progress))
  }

  /** Makes a card that is erased and taken back once it is proven. Rejects with what failed. */
  async function tried(
    controller: AccessController,
    order: KeyOrder,
    options: WriteOptions,
  ): Promise<{ uid: string | null; isErased: boolean }> {
    if (systems.of(providerOf(controller)).kind === 'online')
      throw new DeviceFault('unsupported-operation', 'The lock system itself makes the keys.')
    const trial = { isErased: false }
    let uid: string | null = null
    const make = async (progress: Progress) => {
      progress.trial = trial
      return makeKey(controller, order, options, progress).finally(() => {
        uid = progress.uid
      })
    }
    await atWork(controller, options, make).catch((error) => {
      if (error !== trialOver) throw error
    })
    return { uid, isErased: trial.isErased }
  }

  /** Makes a stay's key what a request says, or leaves it as it is. An answer leaves within `timeoutMs`. */
  function reconciled(asked: Omit<Reconciling, 'progress'>): Promise<Document> {
    const { controller, options } = asked
    return atWork(controller, options, (progress) =>
      reconcile(room, { ...asked, progress }, (order) => makeKey(controller, order, options, progress)),
    )
  }

  /** One piece of work at a controller, in its turn, for somebody who is told in time how it went. */
  async function atWork(
    controller: AccessController,
    options: WriteOptions,
    work: (progress: Progress) => Promise<Document>,
  ): Promise<Document> {
    if (options.dryRun)
      throw new Problem('unknown-parameter', 'A key cannot be made on trial.', { parameter: 'dryRun' })
    const progress: Progress = { step: 'queued', begun: null, uid: null, late: false }
    const isOnline = systems.of(providerOf(controller)).kind === 'online'
    const made = lines.oneByOne(controller, async () => {
      await settled.promise
      expectAwaited(progress)
      return answeredMeanwhile(options) ?? (await work(progress))
    })
    const kept = () => keptWaiting(controller)
    return inTime(made, controller, { progress, isOnline, kept, clock }, failed)
  }

  /** Somebody waited for his turn until his time was over. */
  function keptWaiting({ id }: AccessController): void {
    const input = { controllerId: id, found: { busy: true } }
    door.write(foundController, input, { actor: { by: 'device-watch', requestId: null } }).catch(failed)
  }

  async function makeKey(
    controller: AccessController,
    order: KeyOrder,
    options: WriteOptions,
    progress: Progress,
  ): Promise<Document> {
    if (order.opensAt === null) expectPlausible(clock)
    if (order.keyType === 'pinCode') return issuePin(room, controller, order, options, progress)
    return makeCard(room, controller, order, options, progress)
  }

  /** The same request may have been carried out while this one waited for its turn. */
  function answeredMeanwhile({ idempotency }: WriteOptions): Document | null {
    const before = idempotency ? reader.answered(idempotency.key, answersSince(clock)) : null
    return before?.fingerprint === idempotency?.fingerprint
      ? ((before?.output ?? null) as Document | null)
      : null
  }

  async function close(): Promise<void> {
    const chased = chasing.stop()
    await open.close()
    await systems.close()
    await chased
  }

  const room = {
    start,
    close,
    issue,
    tried,
    reconciled,
    atEncoder,
    onEncoder,
    watch,
    antennaIn,
    controllerBy,
    controllerOf,
    providerOf,
    dispenserBy,
    house,
    systems,
    workshop,
    inLine: lines.inLine,
    queued: lines.queued,
    open,
    reader,
    door,
    clock,
    now,
    failed,
    /** Whether somebody is at work with a controller. */
    isBusy: (controllerId: string): boolean => {
      const row = reader.row(accessController, controllerId)
      return row !== null && lines.isBusy(row)
    },
    inTurn: atWork,
    /** Keys that are to be revoked, or due, are seen to at once. */
    chase: (): void => chasing.nudge(),
  }
  const chasing = chase(room)
  return room
}

export type Access = ReturnType<typeof access>
