import type { Grant } from '../../devices/capability.ts'
import type { OnlineGrant } from '../../devices/lock-system.ts'
import { Problem } from '../../resource/problem.ts'
import type { SealedPin } from '../pins/pins.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { AskedValues } from '../resources/key.ts'
import type { KeyRequest } from './routes/key-request.ts'

/** A key that is asked for, in the terms of the lock system it is for. */
export interface KeyOrder {
  request: KeyRequest
  providerId: string
  controllerId: string
  dispenserId: string | null
  keyType: 'keyCard' | 'pinCode'
  /** The unit's code in the lock system; null only for a key that is held virtually. */
  lock: string | null
  /** Those of the extra units. */
  extraLocks: string[]
  validFrom: number
  validUntil: number
  authorizations: string[]
  maxCopies: number
  /** Which of a unit's keys is newer the lock system decides by itself, whatever number we give it. */
  countsItself: boolean
  /** The caller may make an original for a unit that is occupied by another stay, and says so. */
  override: boolean
  /** To choose from: the first that nobody else has is taken. None for a card. */
  pins: SealedPin[]
  /** The stay's earlier PIN is not to be used again. */
  freshPin: boolean
  /** It is the key of its stay: once a hand has it, those of the units before end. */
  isOfStay: boolean
  /** The key that is made again by it; null where there is none. */
  replaces: string | null
  /** When the key may be written to the lock system, if that is later: it is held virtually until then. */
  opensAt: number | null
}

/** What the store gave a key when it was written down. */
interface Numbered {
  sequence: number
  copy: boolean
  credential: number
  family: number
}

/** What a card is to hold, and where the key and its issuance are written down. */
export interface KeyBegun extends Numbered {
  keyId: string
  runId: string
}

/** The same for a PIN, which has no issuance but its key. `sealed` opens to its digits. */
export interface PinBegun extends Numbered {
  keyId: string
  sealed: string
  /** Nobody was told it yet. */
  isNew: boolean
}

/** The refusal of a key that names no unit and reaches the lock system. */
export function unitNameRequired(): Problem {
  return new Problem('unit-name-required', 'A key that reaches the lock system names its unit.', {
    pointer: '/unitName',
  })
}

/** What an order says of its key, by the key's own fields, however often it is said again. */
export function orderedValues(order: KeyOrder): AskedValues {
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
    lock: order.lock,
    extraLocks: order.extraLocks,
  }
}

/** The key as a lock system whose rights travel on the card has it written. */
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

/** For the lock a spare is a guest's key like any other; that nobody has it yet is ours to know. */
export function usageAtLock(usage: KeyRequest['usage']): Grant['usage'] {
  return usage === 'Spare' ? 'Guest' : usage
}

/** The key as a lock system that keeps the rights itself is asked for it. */
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

/** A card that is to say something else is a new original: what the lock saw last is what counts. */
export function anew(order: KeyOrder): KeyOrder {
  return { ...order, request: { ...order.request, original: true } }
}
