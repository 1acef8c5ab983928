import type { PmsContact } from '../pms/contacts.ts'
import type { Found } from './check.ts'
import type { Facts } from './status-facts.ts'

/** Reservations that may wait to be sent before the status warns. */
const mostOutbox = 1_000

type Pms = Facts['pms'][number]

export function isKeptInStep({ outbox, state }: Pms): boolean {
  return outbox !== null && state !== 'disabled'
}

/**
 * Warns when the synchronisation has a fault, quarantined messages, conflicts, or more than 1,000 reservations to
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
}: Pms): Found {
  const toDo = [
    ...(trouble !== null ? [trouble] : []),
    ...((quarantined ?? 0) > 0
      ? [
          `Messages that could not be processed: ${quarantined}. Read them in the quarantine, mend their causes, and retry them.`,
        ]
      : []),
    ...((conflicts ?? 0) > 0
      ? [`Conflicts that a person must check: ${conflicts}. Run "nightporter sync conflicts".`]
      : []),
    ...((outbox ?? 0) > mostOutbox
      ? [`Reservations that wait to be sent: ${outbox}. Check whether the PMS accepts them.`]
      : []),
  ]
  return {
    componentId: configurationId,
    componentType: 'system',
    observedValue: inboxLag,
    observedUnit: 's',
    status: toDo.length > 0 ? 'warn' : 'pass',
    output: toDo.length > 0 ? `${name}: ${toDo.join(' ')}` : null,
  }
}

export function pms({ configurationId, name, state, fault }: PmsContact): Found {
  const isAway = state === 'disconnected'
  return {
    componentId: configurationId,
    componentType: 'system',
    observedValue: state,
    status: isAway ? 'warn' : 'pass',
    output: isAway
      ? `${name}: ${fault ?? 'The PMS does not answer.'} The appliance works on without it. Check the network and the PMS.`
      : null,
  }
}
