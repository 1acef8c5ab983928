import type { BayEvent } from '../devices/bay-event.ts'
import type { ServiceAnswer, ServiceRequest } from '../devices/key-service.ts'
import type { Clock } from '../host/clock.ts'
import type { Settings } from '../reservation/resources/settings.ts'
import type { Actor, Writer } from '../resource/command.ts'
import type { JsonSchema } from '../resource/fields.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Flag } from './flags.ts'
import type { UnitAnswer, UnitRequest } from './integration.ts'
import type { PmsConfiguration, Transport } from './resources/pms-configuration.ts'
import type { GuestMoved } from './sync/move-guest.ts'
import type { SyncSide } from './sync-side.ts'

/** How one kind of PMS is set up and spoken to. Each has a folder of its own, and a line in `src/adapters.ts`. */
export interface Adapter {
  /** The word used in a configuration. */
  name: string
  version: string
  /** What it speaks with, in a sentence. */
  description: string
  /** The ways it can speak; none for one that leaves the box by no wire. */
  transports: readonly Transport[]
  /** Whether the PMS picks the units of its reservations; otherwise the appliance does, by the rules of the house. */
  assignsUnits: boolean
  /** Where it depends on how the PMS is set up whether it does. */
  assignsUnitsOf?(configuration: PmsConfiguration): boolean
  /** JSON Schemas of a configuration's `connection` and `credentials`. */
  connection: JsonSchema
  credentials: JsonSchema
  /** Throws validation-failed for what the schemas cannot say; `credentials` is null for those that stay as they were. */
  check?(told: {
    transport: Transport | null
    connection: Record<string, unknown>
    credentials: Record<string, unknown> | null
  }): void
  /** Called with the first question, and again after the configuration has changed. */
  open(setup: AdapterSetup): OpenAdapter
}

export interface AdapterSetup {
  /** As it is now; it does not change while the adapter is open. */
  configuration: PmsConfiguration
  /** Unsealed. */
  credentials: Record<string, unknown>
  house: House
}

/** What an adapter has of the appliance. */
export interface House {
  reader: Reader
  writer: Writer
  clock: Clock
  settings(): Settings
  /** Of the reservation interface. */
  interfaceVersion: string
  orderKey: OrderKey
  /** Told of what happens to a line that the adapter keeps open. */
  lineEvent(event: BayEvent): void
  moveGuest: MoveGuest
  /** 64 hex digits, always the same for the same purpose, that nobody without the key of the box can make. */
  secretFor(purpose: string): string
  /** Told of what is our own fault and what nobody is told in an answer. */
  failed(error: unknown): void
}

/**
 * Does what a PMS orders of keys, at the encoder that it calls by its own word; `way` names what its reservations are
 * called where the house knows no stay of that name. Never rejects: whatever happens is an answer to the PMS.
 */
export type OrderKey = (
  from: { way: string; encoders: readonly { code: string; controllerId: string }[] },
  request: ServiceRequest,
) => Promise<ServiceAnswer>

/**
 * Moves a guest in house of the configuration's PMS, whose stay it calls by this name, because its desk wants that now: also while a
 * key of his former unit is out. `taken`: somebody else has the unit, who is not moved by that. Rejects with the Problem of
 * a unit that is blocked.
 */
type MoveGuest = (configurationId: string, stayId: string, unitName: string) => Promise<GuestMoved>

/**
 * An adapter at work. Whatever it does is an answer: a Problem it throws is what is wrong with the request, a DeviceFault
 * is what failed at the other end, and anything else that is thrown, silence or an answer of another form is told as a
 * failure of the adapter. What it answers is plain JSON.
 */
export interface OpenAdapter {
  capabilities(call: Call): Promise<Capabilities> | Capabilities
  extension(request: ExtensionRequest, call: Call): Promise<ExtensionAnswer> | ExtensionAnswer
  /** Asked of an adapter that assigns units. */
  assignUnit?(request: UnitRequest, call: Call): Promise<AssignAnswer> | AssignAnswer
  /** What keeps the house in step with the PMS; absent for one that keeps no reservations of its own. */
  sync?: SyncSide
  /** Takes what the PMS tells at the callback address of its configuration. Throws unauthenticated for what is not signed by it. */
  callback?(told: CallbackRequest): void
  /** Nobody asks any more. */
  close?(): Promise<void> | void
}

/** What somebody, who has yet to prove that he is the PMS, has sent to its callback address. */
export interface CallbackRequest {
  header(name: string): string
  /** The body as it was sent. */
  text: string
}

export interface Call {
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal
  actor: Actor
}

export const extensionMethods = ['GET', 'POST', 'DELETE'] as const
export type ExtensionMethod = (typeof extensionMethods)[number]

export interface ExtensionRequest {
  name: string
  method: ExtensionMethod
  /** What stood after the `?`, as it was sent; empty without one. */
  query: string
  /** The JSON object that was the body, as it was sent; empty without one. */
  body: string
}

/** `not-implemented` is for a name or a method that the adapter has no use for. */
export type ExtensionAnswer = { is: 'answered'; payload: unknown } | { is: 'not-implemented' }

/** `unavailable`: the PMS cannot be reached, and was asked nothing. */
export type AssignAnswer = UnitAnswer | { is: 'unavailable'; reason: string }

/** What a PMS can do through its adapter. */
export interface Capabilities {
  flags: readonly Flag[]
  extensions: readonly { name: string; methods: readonly ExtensionMethod[]; description: string }[]
  /** How often it may be asked; null when it does not say. */
  rateLimit: { requests: number; seconds: number } | null
  /** IANA; null when it does not say. */
  timeZone: string | null
  /** How long this holds, at most half an hour; that long unless said otherwise. */
  ttlSeconds?: number
}
