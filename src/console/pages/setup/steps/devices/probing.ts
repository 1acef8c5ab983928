import { send } from '../../../lib/server/api.ts'
import type { Identity } from './connected.ts'

/** The answer of a probe: the drivers that were tried, and those that would have moved a motor. */
export interface Probes {
  asked: { driver: string; isThere: boolean; identity: Identity | null; problem: string | null }[]
  left: string[]
}

interface Probe {
  path: string
  /** The only driver to try; without it, every driver that may fit. */
  driver?: string
  mayMove: boolean
}

/** A probe tries several protocols at several speeds, one after another. */
const mostMs = 300_000

/** Has the box ask a device what it is. Throws ApiError. */
export async function probed(body: Probe): Promise<Probes> {
  const path = '/api/config/v1/connected-devices/actions/probe'
  return (await send('POST', path, { body, timeoutMs: mostMs })).meta as unknown as Probes
}
