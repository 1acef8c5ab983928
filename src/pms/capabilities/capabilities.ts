import { randomUUID } from 'node:crypto'
import { DeviceFault, faults } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import type { Writer } from '../../resource/command.ts'
import { capabilitiesSchema, plainAnswer } from '../answers.ts'
import type { Adapter, Capabilities } from '../contract.ts'
import type { PmsConfiguration } from '../resources/pms-configuration.ts'
import type { Session } from '../session.ts'
import { recordEvent } from './record-event.ts'

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
  writer: Writer
  clock: Clock
  interfaceVersion: string
  sessionOf(row: PmsConfiguration): Session
  /** Receives the error of an event that could not be recorded. */
  failed(error: unknown): void
}

const maxEntries = 200
/** The maximum validity, whatever the adapter states. */
const maxTtlSeconds = 1_800
/** The events of a request, and of an answer or a failure; a silent adapter causes none. */
const [requested, replied] = ['pms.capabilities.requested', 'pms.capabilities.replied']
const actor = { by: 'capabilities', requestId: null }

/**
 * The capabilities of each PMS. They are kept as long as the adapter states; while the adapter is silent, the last answer stays in
 * use. Each request and its answer are events of the journal.
 */
export function capabilities({ writer, clock, interfaceVersion, sessionOf, failed }: CapabilityOptions) {
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

  async function ask(configuration: PmsConfiguration, { name, version }: Adapter) {
    const { id: configurationId, timeoutMs } = configuration
    const requestId = randomUUID()
    const record = (type: string, data: object) => {
      const event = { type, subject: `pms/${configurationId}`, data: { requestId, ...data } }
      writer.execute(recordEvent, event, { actor }).catch(failed)
    }
    record(requested, {
      configurationId,
      adapter: name,
      adapterVersion: version,
      interfaceVersion,
      replyTo: replied,
      deadline: new Date(now() + (timeoutMs ?? 10_000)).toISOString(),
    })
    try {
      const answer = await sessionOf(configuration).ask(
        { what: 'capabilities', changes: false },
        (open, signal) => open.capabilities({ signal, actor }),
      )
      const plain = await plainAnswer<Capabilities>(name, capabilitiesSchema, answer)
      const { ttlSeconds: stated = maxTtlSeconds, ...known } = plain
      const ttlSeconds = Math.min(stated, maxTtlSeconds)
      record(replied, { capabilities: known, ttlSeconds })
      const checkedAt = now()
      return { capabilities: known, checkedAt, expiresAt: checkedAt + ttlSeconds * 1000 }
    } catch (error) {
      if (error instanceof DeviceFault && error.code !== 'adapter-timeout')
        record(replied, { errorCode: error.code, detail: error.message })
      throw error
    }
  }

  return { read }
}

function waitMs({ code }: DeviceFault): number {
  return (faults[code].retryAfter ?? 0) * 1000
}
