import type { BayEvent } from '../devices/bay/bay-event.ts'
import type { ServiceAnswer, ServiceRequest } from '../devices/key-service.ts'
import type { PortMemory } from '../devices/wires/usb-ports.ts'
import type { Clock } from '../host/clock.ts'
import type { Settings } from '../reservation/resources/settings.ts'
import type { Writer } from '../resource/command.ts'
import type { JsonSchema } from '../resource/field.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Call } from './call.ts'
import type { Flag } from './capabilities/flags.ts'
import type { PmsConfiguration, Transport } from './resources/pms-configuration.ts'
import type { SyncSide } from './sync-contract.ts'
import type { UnitAnswer, UnitRequest } from './unit-assignment/integration.ts'

/** How one kind of PMS is configured and connected. Each has a folder of its own, and a line in `src/composition/adapters.ts`. */
export interface Adapter {
  /** The name of the adapter in a configuration. */
  name: string
  version: string
  /** Its protocol, in a sentence. */
  description: string
  /** Its transports; empty for an adapter without a network connection. */
  transports: readonly Transport[]
  /** True when the PMS assigns the units of its reservations; otherwise the appliance does, by its own rules. */
  assignsUnits: boolean
  /** Replaces `assignsUnits` for an adapter where this depends on the configuration. */
  assignsUnitsOf?(configuration: PmsConfiguration): boolean
  /** JSON Schemas of a configuration's `connection` and `credentials`. */
  connection: JsonSchema
  credentials: JsonSchema
  /**
   * Throws validation-failed for errors that the schemas cannot express; `credentials` is null when they are unchanged.
   */
  check?(settings: {
    transport: Transport | null
    connection: Record<string, unknown>
    credentials: Record<string, unknown> | null
  }): void
  /** Called before the first request, and again after a change of the configuration. */
  open(setup: AdapterSetup): OpenedAdapter
}

/** What an adapter is opened with. */
export interface AdapterSetup {
  /** The current configuration; it does not change while the adapter is open. */
  configuration: PmsConfiguration
  /** In plain text. */
  credentials: Record<string, unknown>
  appliance: ApplianceServices
}

/** What a fleet wants to know of the box, in the state that an adapter keeps published. */
export interface BoxState extends Partial<BoxHealth> {
  version: string
  /** The running slot; null where the program runs from no image. */
  slot: string | null
  update: {
    /** The version that is offered. */
    available: string | null
    step: string | null
    last: { version: string | null; result: string; endedAt: string; reason: string | null } | null
  }
}

/** How the box is, for those who operate many. It names no guest, unit or device. */
export interface BoxHealth {
  /** The worst status of all checks, and the names of those that do not pass, such as `storage:backup`. */
  health: { status: 'pass' | 'warn' | 'fail'; failing: string[] }
  /** `synced` is null where no program is known to set the clock. */
  clock: { judgement: 'plausible' | 'behind' | 'ahead'; synced: boolean | null }
  backupVerifiedAt: string | null
  certificateEnds: string | null
  /** The last day with security fixes for this version. */
  supportEnds: string
  /** The number of devices in each state. */
  devices: { pass: number; warn: number; fail: number }
}

/** The services of the appliance that an adapter uses. */
export interface ApplianceServices {
  reader: Reader
  writer: Writer
  clock: Clock
  settings(): Settings
  /** The `source` of the appliance's messages: `urn:property:` and the id of the property. */
  source(): string
  box?(): BoxState
  /** The version of the reservation interface. */
  interfaceVersion: string
  orderKey: OrderKey
  /** Where the devices of this machine were, for an adapter with a serial line. */
  ports?: PortMemory
  /** Receives the events of a line that the adapter keeps open. */
  lineEvent(event: BayEvent): void
  moveGuest: MoveGuest
  /** Returns the epoch of this box, which each restore raises. */
  epoch(): number
  /** Receives the highest epoch of the property's boxes that the PMS knows. */
  epochSeen(epoch: number): void
  /** A secret of 64 hex digits, stable for one purpose; it cannot be computed without the key of the appliance. */
  secretFor(purpose: string): string
  /** Receives an internal error that appears in no response. */
  failed(error: unknown): void
}

/**
 * Executes a key order of a PMS at the encoder with the PMS's name; `way` names the PMS's reservations where the
 * appliance has no stay of that name. Never rejects: every outcome is an answer to the PMS.
 */
export type OrderKey = (
  from: { way: string; encoders: readonly { code: string; controllerId: string }[] },
  request: ServiceRequest,
) => Promise<ServiceAnswer>

/**
 * `moved`: the guest has the unit now. `there`: he had it before. `taken`: another guest has the unit, and nothing has changed.
 * `unknown`: no such unit exists, or no stay in house with exactly one unit has this id.
 */
export type GuestMoved = 'moved' | 'there' | 'taken' | 'unknown'

/**
 * Moves a guest in house to another unit at once, even while a key of his former unit is in use: the front desk of the PMS
 * has ordered it. `stayId` is the PMS's id of the stay. Rejects with the Problem of a unit that is blocked.
 */
type MoveGuest = (configurationId: string, stayId: string, unitName: string) => Promise<GuestMoved>

/**
 * An open adapter. Its outcomes are all answers: a thrown Problem describes an error in the request, and a DeviceFault
 * a failure at the other end. Any other error, silence or an invalid answer is reported as a failure of the adapter.
 * Its answers are plain JSON.
 */
export interface OpenedAdapter {
  capabilities(call: Call): Promise<Capabilities> | Capabilities
  extension(request: ExtensionRequest, call: Call): Promise<ExtensionAnswer> | ExtensionAnswer
  /** Called for an adapter that assigns units. */
  assignUnit?(request: UnitRequest, call: Call): Promise<AssignAnswer> | AssignAnswer
  /** Synchronises the appliance with the PMS; absent for a PMS without reservations of its own. */
  sync?: SyncSide
  /**
   * Handles a request to the callback address of its configuration. Resolves with the reply for a PMS that waits for one.
   * Throws unauthenticated for a request that does not prove to come from the PMS.
   */
  callback?(request: CallbackRequest): void | Promise<CallbackReply>
  /** Called when no further request will come. */
  close?(): Promise<void> | void
}

/** The reply to a request to a callback address: a status, and a body that becomes JSON. */
export interface CallbackReply {
  status: 200 | 201
  body: Record<string, unknown>
}

/** An unauthenticated request to a callback address. */
export interface CallbackRequest {
  header(name: string): string
  /** The body as it was sent. */
  text: string
}

export const extensionMethods = ['GET', 'POST', 'DELETE'] as const
export type ExtensionMethod = (typeof extensionMethods)[number]

/** A request to an extension of a PMS. */
export interface ExtensionRequest {
  name: string
  method: ExtensionMethod
  /** The query string without the `?`, as it was sent; empty without one. */
  query: string
  /** The body, a JSON object, as it was sent; empty without one. */
  body: string
}

/** `not-implemented`: the adapter does not support this name or method. */
export type ExtensionAnswer = { is: 'answered'; payload: unknown } | { is: 'not-implemented' }

/** `unavailable`: the PMS cannot be reached, and received no request. */
export type AssignAnswer = UnitAnswer | { is: 'unavailable'; reason: string }

/** The capabilities of a PMS through its adapter. */
export interface Capabilities {
  flags: readonly Flag[]
  extensions: readonly { name: string; methods: readonly ExtensionMethod[]; description: string }[]
  /** The limit of requests; null when the PMS states none. */
  rateLimit: { requests: number; seconds: number } | null
  /** An IANA name; null when the PMS states none. */
  timeZone: string | null
  /** How long this answer is valid, half an hour at most. Default: half an hour. */
  ttlSeconds?: number
}
