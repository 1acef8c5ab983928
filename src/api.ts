import { accessChanges } from './access/changes.ts'
import { eraseOnKeys } from './access/keys/erase-guest.ts'
import { everHadKey, keyedUnits, keysFollowStay } from './access/keys/keys-follow-stay.ts'
import { accessResources } from './access/resources.ts'
import { backupChanges } from './backup/backup-changes.ts'
import { clockChanges } from './clock-changes.ts'
import { journalPurge, webhookPlaces } from './events/journal-purge.ts'
import { eventResources } from './events/resources.ts'
import { noteStart } from './events/system-events.ts'
import { webhookChanges } from './events/webhooks/webhook-changes.ts'
import { founding } from './found-property.ts'
import { noteFailures } from './gate/failed-authentication.ts'
import { keepAnswer } from './gate/keep-answer.ts'
import { token } from './gate/token.ts'
import { tokenChanges } from './gate/token-changes.ts'
import { documentShape } from './jsonapi/document.ts'
import { assignmentChanges } from './reservation/assignment-changes.ts'
import { publishPending } from './reservation/availability-events.ts'
import { blockUnit, setUnitTypeAvailability } from './reservation/availability-update.ts'
import { changeSettings } from './reservation/change-settings.ts'
import { createProfile } from './reservation/create-profile.ts'
import { eraseProfile } from './reservation/erase-profile.ts'
import { paymentChanges } from './reservation/payment-changes.ts'
import { reservationChanges } from './reservation/reservation-changes.ts'
import { reservationResources } from './reservation/resources.ts'
import { stayChanges } from './reservation/stay-changes.ts'
import { updateUnit } from './reservation/update-unit.ts'
import type { StayPorts } from './reservation/write-stay.ts'
import type { Change } from './resource/change.ts'
import type { Resources } from './resource/path.ts'
import { plainChanges } from './resource/plain-changes.ts'
import type { Resource } from './resource/resource.ts'
import type { Shape } from './resource/shape.ts'
import { retentionChanges } from './retention/retention-changes.ts'
import { fillWithSample } from './sample-property.ts'
import { settleRestore } from './settle-restore.ts'
import { upstreamChanges } from './upstream/changes.ts'
import { leasesFor } from './upstream/leases.ts'
import { pickedUnits } from './upstream/picked-units.ts'
import { upstreamResources } from './upstream/resources.ts'
import { eraseInSync } from './upstream/sync/erase-guest.ts'
import { leasedUnits } from './upstream/sync/keep-lease.ts'
import { linkPlaces } from './upstream/sync/link.ts'
import { linkChanges } from './upstream/sync/link-changes.ts'
import { markForOffer } from './upstream/sync/outbox.ts'
import { syncChanges, toldTo } from './upstream/sync/sync-changes.ts'

/** All resources of the appliance; those that others refer to come first. */
export const resources: Resources = new Map(
  [...reservationResources, ...accessResources, ...upstreamResources, token, ...eventResources].map(
    (each) => [each.type, each],
  ),
)

export const plain = plainChanges(resources)
/** What other modules do when a stay is written. */
const ports: StayPorts = { keysFollow: keysFollowStay, everHadKey, keyedUnits, leasesFor }

export const stays = stayChanges(ports)
export const reservations = reservationChanges(ports)
export const assignment = assignmentChanges(ports, pickedUnits)

export const sync = syncChanges({ ports, offer: markForOffer, leasedUnits })
export const link = linkChanges(sync, toldTo)

export const erase = eraseProfile([eraseOnKeys, eraseInSync])

export const foundProperty = founding(plain, fillWithSample({ plain, reservations }))

/** All commands of the appliance. */
export const changes: readonly Change[] = [
  ...Object.values(plain),
  ...stays.all,
  ...reservations.all,
  ...assignment.all,
  updateUnit,
  setUnitTypeAvailability,
  blockUnit,
  publishPending,
  changeSettings,
  ...paymentChanges,
  createProfile,
  erase,
  foundProperty,
  ...tokenChanges,
  keepAnswer,
  noteFailures,
  ...accessChanges,
  ...upstreamChanges,
  ...sync.all,
  ...link.own,
  noteStart,
  ...clockChanges,
  journalPurge([...webhookPlaces, ...linkPlaces]),
  ...retentionChanges,
  ...backupChanges,
  settleRestore,
  ...webhookChanges,
]

const shapes = new Map<Resource, Shape>()

/** Returns the projection of a resource's complete document. */
export function shapeOf(resource: Resource): Shape {
  let shape = shapes.get(resource)
  if (!shape) {
    shape = documentShape(resource, (type) => resources.get(type)!)
    shapes.set(resource, shape)
  }
  return shape
}
