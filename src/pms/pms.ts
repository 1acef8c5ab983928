import type { BayEvent } from '../devices/bay/bay-event.ts'
import type { DeviceFault } from '../devices/fault.ts'
import type { PortMemory } from '../devices/wires/usb-ports.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { epochOf, seeEpoch } from '../reservation/property/epoch.ts'
import { cachedSettings } from '../reservation/resources/house.ts'
import type { Settings } from '../reservation/resources/settings.ts'
import type { Actor } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { capabilities, type KnownCapabilities } from './capabilities/capabilities.ts'
import { adapterOf, enabledConfiguration } from './configurations.ts'
import { contacts, type PmsContact } from './contacts.ts'
import type {
  Adapter,
  ApplianceServices,
  BoxState,
  CallbackReply,
  CallbackRequest,
  ExtensionRequest,
  OrderKey,
} from './contract.ts'
import { invokeExtension } from './invoke-extension.ts'
import { pmsActor } from './pms-actor.ts'
import type { PmsConfiguration } from './resources/pms-configuration.ts'
import { adapterSessions } from './sessions.ts'
import {
  type Synchronisation,
  type SynchronisationOptions,
  synchronisation,
} from './sync/loop/synchronisation.ts'
import { numbersOf } from './sync/numbers.ts'
import type { SyncChanges } from './sync/sync-changes.ts'
import type { Integrations } from './unit-assignment/integration.ts'
import { integrations } from './unit-assignment/integrations.ts'

interface PmsOptions {
  store: Pick<Store, 'reader' | 'writer'>
  /** The adapters of this build. */
  adapters: readonly Adapter[]
  clock: Clock
  /** Opens a text that was sealed for a context. */
  unseal(sealed: string, context: string): string
  /** A keyed hash of a text in a context, 64 hex digits; it cannot be computed without the key of the appliance. */
  mark(text: string, context: string): string
  /** The `source` of the appliance's messages: `urn:property:` and the id of the property. */
  source(): string
  /** Returns the state of the box for a fleet. */
  box?(): BoxState
  /** The version of the reservation interface. */
  interfaceVersion: string
  /** Makes the keys that a PMS orders. */
  orderKey: OrderKey
  /** Where the devices of this machine were. */
  ports?: PortMemory
  /** Receives the events of the lines that adapters keep open, for the log. */
  lineEvent(event: BayEvent): void
  /** The commands of the synchronisation. */
  changes: SyncChanges
  /** The journal as events. */
  feed: SynchronisationOptions['feed']
  background: BackgroundWork
  /** Receives an internal error that appears in no response. */
  failed(error: unknown): void
}

/** The PMS module at work. Methods that ask an adapter reject with the DeviceFault of its failure. */
export interface Pms {
  /** The configuration with this id. Throws not-found, and configuration-disabled. */
  configurationBy(id: string): PmsConfiguration
  capabilitiesOf(row: PmsConfiguration): Promise<KnownCapabilities>
  /** The payload of an extension as JSON text. Rejects with extension-not-implemented when the PMS does not have it. */
  invoke(row: PmsConfiguration, request: ExtensionRequest, actor: Actor): Promise<string>
  /** Passes on a request to the callback address of a configuration. Settles as `Session.callback` does. */
  callback(row: PmsConfiguration, request: CallbackRequest): Promise<CallbackReply | null>
  integrations: Integrations
  sync: Synchronisation
  /** The contact with each PMS, and the state of its synchronisation. */
  states(): (PmsContact & ReturnType<typeof numbersOf>)[]
  close(): Promise<void>
}

/** Opens the PMS module: the adapters of the configurations, their capabilities and their synchronisation. */
export function openPms(options: PmsOptions): Pms {
  const { store, adapters, clock, unseal } = options
  const { reader } = store
  const { now } = clock
  const appliance = servicesOf(options)
  const contact = contacts({ reader, adapters, now })
  const sessions = adapterSessions({ adapters, appliance, unseal, requestEnded })
  const sync = synchronisation({
    ...options,
    ...store,
    sessionOf: sessions.of,
    release: sessions.close,
    heard: requestEnded,
  })
  const known = capabilities({ ...options, ...store, sessionOf: sessions.of })

  function requestEnded(configurationId: string, fault: DeviceFault | null): void {
    contact.record(configurationId, fault)
    sync.heard(configurationId, fault)
  }

  return {
    configurationBy: (id) => enabledConfiguration(reader, id),
    capabilitiesOf: async (row) => known.read(row, adapterOf(adapters, row)),
    invoke: async (row, request, actor) =>
      invokeExtension(row, request, { actor, session: sessions.of(row), sync }),
    callback: async (row, request) => sessions.of(row).callback(request),
    integrations: integrations({
      reader,
      adapters,
      sessionOf: sessions.of,
      unreachable: requestEnded,
      isLinked: sync.isLinked,
    }),
    sync,
    states: () => contact.states().map((each) => ({ ...each, ...numbersOf(reader, sync, each, now()) })),
    async close() {
      const ended = sync.close()
      sessions.closeAll()
      await ended
    },
  }
}

function servicesOf({ store, changes, mark, ...options }: PmsOptions): ApplianceServices {
  const { reader, writer } = store
  const { clock, source, box, interfaceVersion, orderKey, ports, lineEvent, failed } = options
  return {
    reader,
    writer,
    clock,
    settings: () => settingsIn(reader),
    source,
    ...(box && { box }),
    interfaceVersion,
    orderKey,
    ...(ports && { ports }),
    lineEvent,
    async moveGuest(configurationId, stayId, unitName) {
      const actor = { by: pmsActor(configurationId), requestId: null }
      return writer.execute(changes.moveGuestNow, { configurationId, stayId, unitName }, { actor })
    },
    epoch: () => epochOf(reader).own,
    epochSeen(epoch) {
      if (epoch <= Math.max(...Object.values(epochOf(reader)))) return
      const actor = { by: 'pms', requestId: null }
      writer.execute(seeEpoch, { epoch }, { actor }).catch(failed)
    },
    secretFor: (purpose) => mark(purpose, 'pms'),
    failed,
  }
}

function settingsIn(reader: Reader): Settings {
  const found = cachedSettings(reader)
  if (!found) throw new Error('the property has no settings')
  return found
}
