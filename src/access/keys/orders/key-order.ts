import type { Grant } from '../../../devices/capability.ts'
import type { OnlineGrant } from '../../../devices/lock-system.ts'
import type { GuestProof } from '../../../jsonapi/guests.ts'
import { Problem } from '../../../resource/problem.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import type { RequestedValues } from '../../resources/key-door.ts'
import type { KeyRequest } from '../../resources/key-request.ts'
import type { SealedPin } from './pins.ts'

/** The caller's word that a key is right although it concerns another guest. */
export interface Confirmation {
  /** The audit shows it; events do not, because it may name a guest. */
  reason: string
  /** The caller has the scope keys.override; see the rules for what needs it. */
  mayOverride: boolean
}

/** A requested key, in the terms of its lock system. Instants are Unix milliseconds. */
export interface KeyOrder {
  request: KeyRequest
  providerId: string
  controllerId: string
  dispenserId: string | null
  keyType: 'keyCard' | 'pinCode'
  /** The unit's code in the lock system; null only for a virtual key. */
  lock: string | null
  /** Several units lie behind the lock, so that its key must open it beside theirs. Not so for one that ends them all. */
  isShared: boolean
  /** The codes of the extra units. */
  extraLocks: string[]
  validFrom: number
  validUntil: number
  /** See the field of the key. */
  endsAtLock: number
  authorizations: string[]
  maxCopies: number
  /** The lock system itself decides which of a unit's keys is newer, and ignores the number. */
  countsItself: boolean
  /** The caller's word that the key is right although it concerns another guest; null without one. */
  confirmed: Confirmation | null
  /** The caller may make keys of a guest in house only: see `expectOwnKey`. Null for all others. */
  atKiosk: GuestProof | null
  /** The candidates; the first that no other key has is used. Empty for a card. */
  pins: SealedPin[]
  /** The stay's earlier PIN is not used again. */
  freshPin: boolean
  /** The stay of the key where it is known; null where its name finds it. */
  stayId: string | null
  /** The key is the main key of its stay: once it is handed over, the stay's keys of earlier units end. */
  isOfStay: boolean
  /** The id of the key that it replaces; null where there is none. */
  replaces: string | null
  /** The instant from which the key is sent to the lock system; null for at once. The key is virtual until then. */
  opensAt: number | null
}

/** The numbers that the store assigned to a key. */
export interface Numbered {
  sequence: number
  copy: boolean
  credential: number
  family: number
}

/** The numbers of a card's key, and the ids of the key and its issuance. */
export interface KeyBegun extends Numbered {
  keyId: string
  runId: string
}

/** The numbers of a PIN, which has no issuance. `sealed` is the encrypted PIN. */
export interface PinBegun extends Numbered {
  keyId: string
  sealed: string
  /** The PIN was not given to anybody yet. */
  isNew: boolean
}

/** The Problem for a key that names no unit and is due. */
export function unitNameRequired(): Problem {
  return new Problem('unit-name-required', 'A key without a unit cannot be sent to the lock system.', {
    pointer: '/unitName',
  })
}

/** The fields of the key that an order sets. The same order always gives the same values. */
export function orderedValues(order: KeyOrder): RequestedValues {
  const { request } = order
  return {
    unitName: request.unitName,
    startDate: request.startDate,
    startTime: request.startTime,
    endDate: request.endDate,
    endTime: request.endTime,
    extraUnits: request.extraUnits,
    deAuthorizations: request.deAuthorizations,
    authorizations: order.authorizations,
    validFrom: order.validFrom,
    validUntil: order.validUntil,
    endsAtLock: order.endsAtLock,
    lock: order.lock,
    extraLocks: order.extraLocks,
  }
}

/** The key in the form that is written to a card. */
export function grantOf(order: KeyOrder, numbered: Numbered): Grant {
  return {
    lock: order.lock ?? '',
    sequence: numbered.sequence,
    copy: numbered.copy,
    usage: usageAtLock(order.request.usage),
    authorizations: order.authorizations,
    validFrom: order.validFrom,
    validUntil: order.validUntil,
    credential: numbered.credential,
  }
}

/** The usage that the lock system receives: a spare is a guest's key there. */
export function usageAtLock(usage: KeyRequest['usage']): Grant['usage'] {
  return usage === 'Spare' ? 'Guest' : usage
}

/** The key in the form that a lock system receives which stores the rights itself. */
export function onlineGrantOf(
  order: KeyOrder,
  numbered: Numbered,
  { externalCode }: AccessController,
  pin: string | null,
): OnlineGrant {
  return {
    ...grantOf(order, numbered),
    keyType: order.keyType,
    encoder: externalCode ?? null,
    extraLocks: order.extraLocks,
    pin,
    family: numbered.family,
    label: `np-${numbered.credential}`,
  }
}

/**
 * The order for a new original. A card is changed by making a new original, because the lock honours the original it
 * saw last.
 */
export function anew(order: KeyOrder): KeyOrder {
  return { ...order, request: { ...order.request, original: true } }
}
