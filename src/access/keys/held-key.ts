import type { HeldKey, OnlineGrant } from '../../devices/lock-system.ts'
import type { Workshop } from '../handles/workshop.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Key } from '../resources/key.ts'
import { numberAt, placeOf, placesOf } from '../resources/key-door.ts'
import { usageAtLock } from './orders/key-order.ts'
import { pinOrNull } from './orders/pins.ts'

type Seals = Pick<Workshop, 'unseal'>

/**
 * The stored key in each state in which the lock system may have it: several while the outcome of a change is unknown.
 * Where the lock system has a reference for the key, one state a lock is enough, because the reference finds the key in
 * any window.
 */
export function heldKeys(workshop: Seals, row: Key, controller: AccessController | null): HeldKey[] {
  const places = placesOf(row)
  const distinct = row.reference ? [...new Map(places.map((place) => [place.lock, place])).values()] : places
  return distinct.map((place) => heldKey(workshop, row, controller, place))
}

/** A stored key in the form in which the lock system received it: as it is now, or in another of these states. */
export function heldKey(
  workshop: Seals,
  row: Key,
  controller: AccessController | null,
  { lock, extraLocks, validFrom, validUntil } = placeOf(row),
): HeldKey {
  const credential = row.credential ?? 0
  const grant: OnlineGrant = {
    keyType: row.keyType === 'pinCode' ? 'pinCode' : 'keyCard',
    lock: lock ?? '',
    extraLocks,
    sequence: numberAt(row, lock),
    copy: !row.original,
    usage: usageAtLock(row.usage ?? 'Guest'),
    authorizations: row.authorizations ?? [],
    validFrom,
    validUntil,
    credential,
    family: row.familyNumber ?? credential,
    encoder: controller?.externalCode ?? null,
    pin: row.pinSealed ? pinOrNull(workshop, row.pinSealed) : null,
    label: `np-${credential}`,
  }
  return { reference: row.reference ?? null, uid: row.uid ?? null, grant }
}
