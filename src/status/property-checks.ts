import type { Message } from '../jsonapi/locales/message.ts'
import type { NotForgotten } from '../retention/retention-report.ts'
import type { Found } from './check.ts'
import type { Facts } from './status-facts.ts'

/** Warns while settings of the house are assumed, with what to confirm. */
export function settings({ property: { assumption } }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: assumption.length === 0 ? 'confirmed' : 'assumed',
    status: assumption.length === 0 ? 'pass' : 'warn',
    messages: assumption,
  }
}

/** Warns while the property has no rooms. */
export function units({ property: { hasUnits } }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: hasUnits,
    status: hasUnits ? 'pass' : 'warn',
    messages: hasUnits ? [] : [{ code: 'no-units' }],
  }
}

/** Warns without a lock system or an encoder, and for two units with one lock. */
export function lockSystem({ property }: Facts): Found {
  const { hasLockSystem, hasController, lockClashes } = property
  const messages: Message[] = lockClashes.map(({ units: [one, other], lock }) => ({
    code: 'units-have-one-lock',
    values: { one, other, lock },
  }))
  if (!hasLockSystem) messages.push({ code: 'no-lock-system' })
  else if (!hasController) messages.push({ code: 'no-controller' })
  return {
    componentType: 'system',
    observedValue: hasLockSystem && hasController,
    status: messages.length > 0 ? 'warn' : 'pass',
    messages,
  }
}

/** Warns after a restore, until a person has checked every unit whose door may accept an unknown key. */
export function unknownKeys({ unitsToCheck }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: unitsToCheck,
    observedUnit: 'units',
    status: 'warn',
    messages: [{ code: 'unknown-keys', values: { units: unitsToCheck } }],
  }
}

/** Warns until an administrator has confirmed or ended each token, account and station that may be one too many. */
export function rightsToConfirm({ rightsToConfirm }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: rightsToConfirm,
    observedUnit: 'rights',
    status: 'warn',
    messages: [{ code: 'rights-to-confirm', values: { rights: rightsToConfirm } }],
  }
}

/** Fails while another box has, or may have, the property: this one makes no keys. */
export function fenced({ isCopy }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: true,
    status: 'fail',
    messages: [{ code: isCopy ? 'box-copied' : 'box-fenced' }],
  }
}

/** Warns until the terminal has said what became of each payment. */
export function doubtfulPayments({ paymentsInDoubt }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: paymentsInDoubt,
    observedUnit: 'payments',
    status: 'warn',
    messages: [{ code: 'payments-in-doubt', values: { count: paymentsInDoubt } }],
  }
}

/** Warns while the page of a kiosk does not reach the appliance, or is not open. */
export function kioskPages({ silentKiosks }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: silentKiosks.length,
    observedUnit: 'kiosks',
    status: 'warn',
    messages: silentKiosks.map((name) => ({ code: 'kiosk-silent', values: { name } })),
  }
}

/** Warns while a guest whom an enrolled kiosk cannot help has no number to call. */
export function deskPhone(): Found {
  return {
    componentType: 'system',
    observedValue: null,
    status: 'warn',
    messages: [{ code: 'desk-phone-missing' }],
  }
}

/** Warns while a guest at a kiosk has waited for minutes, and no person has said to be on the way. */
export function helpCalls({ unansweredCalls }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: unansweredCalls.length,
    observedUnit: 'calls',
    status: 'warn',
    messages: unansweredCalls.map(({ kiosk, minutes }) => ({
      code: 'help-unanswered',
      values: { name: kiosk, minutes },
    })),
  }
}

/** Warns until the retention has deleted what was due. */
export function retention({ by, rows, example }: NotForgotten): Found {
  const values = { by, count: rows, example }
  return {
    componentType: 'datastore',
    observedValue: rows,
    observedUnit: 'rows',
    status: 'warn',
    messages: [{ code: rows > 0 ? 'rows-not-deleted' : 'retention-failed', values }],
    about: by,
  }
}
