import { failureMessage, type Message, type MessageCode } from '../jsonapi/locales/message.ts'
import type { PmsContact } from '../pms/contacts.ts'
import type { Found } from './check.ts'
import type { Facts } from './status-facts.ts'

/** Reservations that may wait to be sent before the status warns. */
const mostOutbox = 1_000

type Pms = Facts['pms'][number]

/** Whether reservations are synchronised with this PMS. */
export function isKeptInStep({ outbox, state }: Pms): boolean {
  return outbox !== null && state !== 'disabled'
}

/**
 * Warns when the synchronisation has a fault, the adapter notes something, and for quarantined messages, conflicts, or more than 1,000 reservations to
 * publish. The check `pms:state` reports the connection.
 */
export function inStep({
  configurationId,
  name,
  outbox,
  conflicts,
  quarantined,
  inboxLag,
  trouble,
  notes,
}: Pms): Found {
  const messages: Message[] = [
    ...(trouble !== null
      ? [{ code: 'pms-trouble' as const, values: { detail: { errorCode: '', detail: trouble } } }]
      : []),
    ...notes,
    ...counted('pms-quarantined', quarantined ?? 0, 0),
    ...counted('pms-conflicts', conflicts ?? 0, 0),
    ...counted('pms-outbox', outbox ?? 0, mostOutbox),
  ]
  return {
    componentId: configurationId,
    componentType: 'system',
    observedValue: inboxLag,
    observedUnit: 's',
    status: messages.length > 0 ? 'warn' : 'pass',
    messages,
    about: name,
  }
}

function counted(code: MessageCode, count: number, most: number): Message[] {
  return count > most ? [{ code, values: { count } }] : []
}

/** Warns while a PMS does not answer, with the reason where it is known. */
export function pms({ configurationId, name, state, fault }: PmsContact): Found {
  const isAway = state === 'disconnected'
  const why: Message = fault === null ? { code: 'pms-silent' } : failureMessage('', fault)
  return {
    componentId: configurationId,
    componentType: 'system',
    observedValue: state,
    status: isAway ? 'warn' : 'pass',
    messages: isAway ? [why, { code: 'pms-away' }] : [],
    about: name,
  }
}
