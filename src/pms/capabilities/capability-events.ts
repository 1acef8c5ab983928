import type { FaultCode } from '../../devices/fault.ts'
import type { Capabilities } from '../contract.ts'

export const capabilitiesRequested = 'pms.capabilities.requested'
export const capabilitiesReplied = 'pms.capabilities.replied'

/** Asks an adapter for the capabilities of its PMS. */
export interface CapabilitiesRequestedEvent {
  requestId: string
  configurationId: string
  adapter: string
  adapterVersion: string
  /** The version of the reservation interface that asks. */
  interfaceVersion: string
  /** The type of the event that is waited for. */
  replyTo: string
  /** The end of the wait, UTC. */
  deadline: string
}

/** The adapter's answer, or its failure. A silent adapter causes no event. */
export type CapabilitiesRepliedEvent =
  | { requestId: string; capabilities: Omit<Capabilities, 'ttlSeconds'>; ttlSeconds: number }
  | { requestId: string; errorCode: FaultCode; detail: string }

/** The subject of these events. */
export function subjectOf(configurationId: string): string {
  return `pms/${configurationId}`
}
