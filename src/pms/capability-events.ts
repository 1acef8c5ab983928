import type { FaultCode } from '../devices/fault.ts'
import type { Capabilities } from './adapter.ts'

export const capabilitiesRequested = 'pms.capabilities.requested'
export const capabilitiesReplied = 'pms.capabilities.replied'

/** Asks an adapter what its PMS can do. */
export interface CapabilitiesRequested {
  requestId: string
  configurationId: string
  adapter: string
  adapterVersion: string
  /** Of the reservation interface that asks. */
  interfaceVersion: string
  /** The type of the event that is waited for. */
  replyTo: string
  /** Nobody waits any longer: UTC. */
  deadline: string
}

/** What the adapter said, or how it failed. A silent one is silent here too. */
export type CapabilitiesReplied =
  | { requestId: string; capabilities: Omit<Capabilities, 'ttlSeconds'>; ttlSeconds: number }
  | { requestId: string; errorCode: FaultCode; detail: string }

/** Who and what these events are about. */
export function subjectOf(configurationId: string): string {
  return `pms/${configurationId}`
}
