import { randomUUID } from 'node:crypto'
import { DeviceFault, faults } from '../../devices/fault.ts'
import type { Bus } from '../../events/bus.ts'
import type { Clock } from '../../host/clock.ts'
import type { Adapter, Capabilities } from '../contract.ts'
import type { PmsConfiguration } from '../resources/pms-configuration.ts'
import {
  type CapabilitiesRepliedEvent,
  type CapabilitiesRequestedEvent,
  capabilitiesReplied,
  capabilitiesRequested,
  subjectOf,
} from './capability-events.ts'

/** The capabilities of a PMS, as its adapter reported them. */
export interface KnownCapabilities {
  capabilities: Omit<Capabilities, 'ttlSeconds'>
  /** Unix milliseconds. */
  checkedAt: number
  expiresAt: number
  /** True when the adapter cannot be asked now, and this is its last answer. */
  stale: boolean
}

interface CacheEntry {
  /** The revision of the configuration; another revision may be another PMS. */
  revision: number
  known: Omit<KnownCapabilities, 'stale'> | null
  asking: Promise<Omit<KnownCapabilities, 'stale'>> | null
  /** The time until which a failed adapter is not asked again, so that a second caller does not wait for it too. */
  failure: { fault: DeviceFault; until: number } | null
}

interface CapabilityOptions {
  bus: Bus
  clock: Clock
  interfaceVersion: string
}

const maxEntries = 200

/**
 * The capabilities of each PMS. They are requested over the bus and kept as long as the adapter states; while the
 * adapter is silent, the last answer stays in use.
 */
export function capabilities({ bus, clock, interfaceVersion }: CapabilityOptions) {
  const { now } = clock
  const kept = new Map<string, CacheEntry>()

  /** Rejects with the DeviceFault of an adapter that has never answered. */
  async function read(configuration: PmsConfiguration, adapter: Adapter): Promise<KnownCapabilities> {
    const entry = entryOf(configuration)
    if (entry.known && isWithin(entry.known.checkedAt, entry.known.expiresAt)) {
      return { ...entry.known, stale: false }
    }
    try {
      return { ...(await askedOnce(entry, configuration, adapter)), stale: false }
    } catch (error) {
      if (entry.known && error instanceof DeviceFault) return { ...entry.known, stale: true }
      throw error
    }
  }

  function entryOf({ id, revision }: PmsConfiguration): CacheEntry {
    const before = kept.get(id)
    if (before?.revision === revision) return before
    if (kept.size >= maxEntries) kept.clear()
    const entry: CacheEntry = { revision, known: null, asking: null, failure: null }
    kept.set(id, entry)
    return entry
  }

  /** False for a start in the future: after the clock is set back, nothing stays valid for longer than intended. */
  function isWithin(from: number, until: number): boolean {
    return now() >= from && now() < until
  }

  async function askedOnce(entry: CacheEntry, configuration: PmsConfiguration, adapter: Adapter) {
    const { failure } = entry
    if (failure && isWithin(failure.until - waitMs(failure.fault), failure.until)) throw failure.fault
    entry.asking ??= ask(configuration, adapter).finally(() => {
      entry.asking = null
    })
    try {
      entry.known = await entry.asking
      entry.failure = null
      return entry.known
    } catch (error) {
      if (error instanceof DeviceFault) entry.failure = { fault: error, until: now() + waitMs(error) }
      throw error
    }
  }

  async function ask({ id, timeoutMs }: PmsConfiguration, { name, version }: Adapter) {
    const requestId = randomUUID()
    const deadlineMs = timeoutMs ?? 10_000
    const reply = Promise.withResolvers<CapabilitiesRepliedEvent>()
    const stop = bus.subscribe(capabilitiesReplied, ({ data }) => {
      const received = data as CapabilitiesRepliedEvent
      if (received.requestId === requestId) reply.resolve(received)
    })
    const silence = () =>
      reply.reject(
        new DeviceFault(
          'adapter-timeout',
          `${name} did not say within ${deadlineMs / 1000} s what it can do.`,
        ),
      )
    const timer = clock.setTimeout(silence, deadlineMs)
    try {
      bus.publish(capabilitiesRequested, subjectOf(id), {
        requestId,
        configurationId: id,
        adapter: name,
        adapterVersion: version,
        interfaceVersion,
        replyTo: capabilitiesReplied,
        deadline: new Date(now() + deadlineMs).toISOString(),
      } satisfies CapabilitiesRequestedEvent)
      return knownBy(await reply.promise)
    } finally {
      timer.cancel()
      stop()
    }
  }

  function knownBy(reply: CapabilitiesRepliedEvent) {
    if ('errorCode' in reply) throw new DeviceFault(reply.errorCode, reply.detail)
    const checkedAt = now()
    return {
      capabilities: reply.capabilities,
      checkedAt,
      expiresAt: checkedAt + reply.ttlSeconds * 1000,
    }
  }

  return { read }
}

function waitMs({ code }: DeviceFault): number {
  return (faults[code].retryAfter ?? 0) * 1000
}
