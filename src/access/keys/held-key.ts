import type { HeldKey, OnlineGrant } from '../../devices/lock-system.ts'
import type { Workshop } from '../equipment/handles.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Key } from '../resources/key.ts'
import { pinOrNull } from './pins.ts'

/** A kept key as the lock system was asked for it. */
export function heldKey(
  workshop: Pick<Workshop, 'unseal'>,
  row: Key,
  controller: AccessController | null,
): HeldKey {
  return {
    reference: row.reference ?? null,
    uid: row.uid ?? null,
    grant: heldGrant(workshop, row, controller),
  }
}

function heldGrant(
  workshop: Pick<Workshop, 'unseal'>,
  row: Key,
  controller: AccessController | null,
): OnlineGrant {
  const credential = row.credential ?? 0
  return {
    keyType: row.keyType === 'pinCode' ? 'pinCode' : 'keyCard',
    lock: row.lock ?? '',
    extraLocks: row.extraLocks ?? [],
    sequence: row.lockSequence ?? 0,
    copy: !row.original,
    usage: row.usage ?? 'Guest',
    authorizations: row.authorizations ?? [],
    validFrom: row.validFrom ?? 0,
    validUntil: row.validUntil ?? 0,
    credential,
    family: row.familyNumber ?? credential,
    encoder: controller?.externalCode ?? null,
    pin: row.pinSealed ? pinOrNull(workshop, row.pinSealed) : null,
    label: `np-${credential}`,
  }
}
