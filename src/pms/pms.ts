import type { BayEvent } from '../devices/bay/bay-event.ts'
import { DeviceFault } from '../devices/fault.ts'
import type { Bus } from '../events/bus.ts'
import type { Clock } from '../host/clock.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { keptSettings } from '../reservation/property/kept-settings.ts'
import type { Settings } from '../reservation/resources/settings.ts'
import type { Actor } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { textOf } from './answers.ts'
import { answerCapabilities } from './capabilities/answer-capabilities.ts'
import { capabilities, type Known } from './capabilities/capabilities.ts'
import { recordCapabilities } from './capabilities/record-event.ts'
import { contacts } from './contacts.ts'
import type {
  Adapter,
  CallbackRequest,
  ExtensionAnswer,
  ExtensionRequest,
  House,
  OrderKey,
} from './contract.ts'
import { pmsActor } from './pms-actor.ts'
import { type PmsConfiguration, pmsConfiguration } from './resources/pms-configuration.ts'
import { openSession, type Session } from './session.ts'
import { sharingPms } from './sharing-pms.ts'
import type { LinkChanges } from './sync/link-changes.ts'
import { numbersOf } from './sync/numbers.ts'
import { isSync, synced } from './sync/sync-extension.ts'
import { type SynchronisationOptions, synchronisation } from './sync/synchronisation.ts'
import type { Integrations } from './unit-assignment/integration.ts'
import { integrationWith, lendingAlone } from './unit-assignment/integration-with.ts'

interface UpstreamOptions {
  store: Pick<Store, 'reader' | 'writer'>
  /** Those of this build. */
  adapters: readonly Adapter[]
  bus: Bus
  clock: Clock
  /** Opens what was sealed for a context. */
  unseal(sealed: string, context: string): string
  /** 64 hex digits of a text in a context, which nobody else can make. */
  mark(text: string, context: string): string
  /** Of the reservation interface. */
  interfaceVersion: string
  /** Makes keys that a PMS orders. */
  orderKey: OrderKey
  /** Told of what happens to the lines of adapters, for the log. */
  lineEvent(event: BayEvent): void
  /** What is written while the house gets in step with a PMS, and what has happened here. */
  changes: LinkChanges
  feed: SynchronisationOptions['feed']
  /** Told of what is ours or an adapter's fault and what nobody is told in an answer. */
  failed(error: unknown): void
}

export const credentialsContext = 'pms-configuration'

/** The room's work: the adapters that are open, and what is asked of them. Faults of theirs are DeviceFaults. */
export function upstream(options: UpstreamOptions) {
  const { store, adapters, bus, clock, failed } = options
  const { reader, writer } = store
  const { now } = clock
  const sessions = new Map<string, Session>()
  const secretFor = (purpose: string) => options.mark(purpose, 'pms')
  const { orderKey, lineEvent, interfaceVersion } = options
  const house: House = {
    reader,
    writer,
    clock,
    settings: settingsNow,
    interfaceVersion,
    orderKey,
    lineEvent,
    moveGuest,
    secretFor,
    failed,
  }
  const known = capabilities(options)
  const { heard: contacted, states } = contacts({ reader, adapters, now })
  const sync = synchronisation({
    ...options,
    ...store,
    sessionOf,
    release,
    heard,
  })
  const stops = [answerCapabilities(bus, sessionById), recordCapabilities(bus, writer)]

  function heard(configurationId: string, fault: DeviceFault | null): void {
    contacted(configurationId, fault)
    sync.heard(configurationId, fault)
  }

  function release(configurationId: string): void {
    sessions.get(configurationId)?.close()
    sessions.delete(configurationId)
  }

  async function moveGuest(configurationId: string, stayId: string, unitName: string) {
    const actor = { by: pmsActor(configurationId), requestId: null }
    return writer.execute(options.changes.moveGuestNow, { configurationId, stayId, unitName }, { actor })
  }

  function settingsNow(): Settings {
    const found = keptSettings(reader)
    if (!found) throw new Error('the property has no settings')
    return found
  }

  /** Throws not-found, and configuration-disabled. */
  function configurationBy(id: string): PmsConfiguration {
    const row = reader.row(pmsConfiguration, id)
    if (!row) throw new Problem('not-found', 'There is no such PMS configuration.')
    if (row.enabled === false) {
      throw new Problem('configuration-disabled', `The PMS configuration ${row.name} is switched off.`)
    }
    return row
  }

  function adapterOf({ adapter }: PmsConfiguration): Adapter {
    const found = adapters.find(({ name }) => name === adapter)
    if (!found) throw new DeviceFault('unsupported-operation', `This build has no adapter ${adapter}.`)
    return found
  }

  /** The configuration's adapter at work; opened anew when the configuration has changed, or when it is stuck. */
  function sessionOf(row: PmsConfiguration): Session {
    const before = sessions.get(row.id)
    if (before?.revision === row.revision && !before.isStuck()) return before
    before?.close()
    closeRemoved()
    const setup = { configuration: row, credentials: credentialsOf(row), house }
    const session = openSession(adapterOf(row), setup, { failed, heard: (fault) => heard(row.id, fault) })
    sessions.set(row.id, session)
    return session
  }

  function closeRemoved(): void {
    for (const [id, session] of sessions) {
      if (reader.idOf(pmsConfiguration, id) !== null) continue
      session.close()
      sessions.delete(id)
    }
  }

  function sessionById(configurationId: string): Session | null {
    const row = reader.row(pmsConfiguration, configurationId)
    return row && sessionOf(row)
  }

  function credentialsOf({ credentials }: PmsConfiguration): Record<string, unknown> {
    return credentials ? JSON.parse(options.unseal(credentials, credentialsContext)) : {}
  }

  /** What a PMS can do. */
  async function capabilitiesOf(row: PmsConfiguration): Promise<Known> {
    return known.read(row, adapterOf(row))
  }

  /** The payload of an extension as JSON text. Throws extension-not-implemented when the adapter says so. */
  async function invoke(row: PmsConfiguration, request: ExtensionRequest, actor: Actor): Promise<string> {
    const { name, method } = request
    const question = { what: `${method} ${name}`, changes: method !== 'GET' }
    const answer: ExtensionAnswer = await sessionOf(row).ask(question, (open, signal) =>
      open.extension(request, { signal, actor }),
    )
    if (answer?.is === 'answered') return textOf(row.name, answer.payload)
    if (answer?.is === 'not-implemented') {
      if (isSync(request) && sync.isLinked(row.id)) return textOf(row.name, await synced(row, request, sync))
      throw notImplemented(row, request)
    }
    throw new DeviceFault(
      'vendor-error',
      `${row.name} answered to ${question.what} with nothing that is an answer.`,
    )
  }

  /** Hands on what came to a PMS's callback address. Throws what `Session.callback` does. */
  function callback(row: PmsConfiguration, told: CallbackRequest): void {
    sessionOf(row).callback(told)
  }

  const integrations: Integrations = {
    integrationOf({ integrationId }) {
      const shared = sharingPms(reader, integrationId)
      const id = integrationId ?? (shared?.lends ? shared.configurationId : null)
      const row = id ? reader.row(pmsConfiguration, id) : null
      const adapter = row && adapters.find(({ name }) => name === row.adapter)
      if (!row) return null
      if (adapter && !assignsUnits(adapter, row)) return shared?.lends ? lendingAlone(row) : null
      return integrationWith(row, {
        sessionOf: () => sessionOf(row),
        away: (fault) => heard(row.id, fault),
        isLinked: () => sync.isLinked(row.id),
      })
    },
  }

  async function close(): Promise<void> {
    const ended = sync.close()
    for (const stop of stops) stop()
    for (const session of sessions.values()) session.close()
    sessions.clear()
    await ended
  }

  return {
    configurationBy,
    adapterOf,
    capabilitiesOf,
    invoke,
    callback,
    integrations,
    sync,
    states: () => states().map((contact) => ({ ...contact, ...numbersOf(reader, sync, contact, now()) })),
    close,
  }
}

function assignsUnits(adapter: Adapter, row: PmsConfiguration): boolean {
  return adapter.assignsUnitsOf?.(row) ?? adapter.assignsUnits
}

export type Upstream = ReturnType<typeof upstream>

export function notImplemented(
  { name }: PmsConfiguration,
  request: Pick<ExtensionRequest, 'name' | 'method'>,
) {
  const detail = `${name} has no ${request.method} ${request.name}.`
  return new Problem('extension-not-implemented', detail)
}
