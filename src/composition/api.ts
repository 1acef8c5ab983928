import { accessCommands } from '../access/commands.ts'
import { doorsFollowUnits } from '../access/keys/doors/doors-follow-unit.ts'
import { eraseOnKeys } from '../access/keys/erase-guest.ts'
import { hasShownCard } from '../access/keys/kiosk-keys.ts'
import { everHadKey, keyedUnits, keysFollowStay } from '../access/keys/stay/keys-follow-stay.ts'
import { letKeysWait } from '../access/keys/stay/link-keys.ts'
import { endsFollowClock } from '../access/providers/ends-follow-clock.ts'
import { accessResources } from '../access/resources.ts'
import { guestProofCommands } from '../auth/guest-proofs.ts'
import { keepAnswer } from '../auth/keep-answer.ts'
import { noteFailures } from '../auth/limits/failed-authentication.ts'
import { hasKiosk } from '../auth/resources/station.ts'
import { token } from '../auth/resources/token.ts'
import { staffCommands, staffResources } from '../auth/sign-in/staff.ts'
import { tokenChanges } from '../auth/tokens/token-commands.ts'
import { backupCommands } from '../backup/backup-commands.ts'
import { backupTarget } from '../backup/targets/backup-target.ts'
import { noteNetwork } from '../box/network/note-network.ts'
import { noteSupport } from '../box/support/support-console.ts'
import { certificateCommands } from '../certificate/certificate-commands.ts'
import { clockCommands } from '../clock/clock-commands.ts'
import { fillWithSample } from '../demo/sample-property.ts'
import { journalPurge, webhookPlaces } from '../events/journal-purge.ts'
import { eventResources } from '../events/resources.ts'
import { noteStart } from '../events/system-events.ts'
import { webhookChanges } from '../events/webhooks/webhook-commands.ts'
import { documentShape } from '../jsonapi/document.ts'
import { pmsCommands } from '../pms/commands.ts'
import { pmsResources } from '../pms/resources.ts'
import { eraseInSync } from '../pms/sync/erase-guest.ts'
import { linkPlaces } from '../pms/sync/link.ts'
import { captureIntents } from '../pms/sync/outbound/capture.ts'
import { syncChanges } from '../pms/sync/sync-changes.ts'
import { allotmentsFor } from '../pms/unit-assignment/allotments.ts'
import { pickedUnits } from '../pms/unit-assignment/picked-units.ts'
import { assignmentCommands } from '../reservation/assignment/assignment-commands.ts'
import { publishPending } from '../reservation/availability/availability-events.ts'
import { blockUnit, setUnitTypeAvailability } from '../reservation/availability/availability-update.ts'
import { handOverCommands } from '../reservation/hand-over/hand-over-commands.ts'
import { helpCallCommands } from '../reservation/hand-over/help-call-commands.ts'
import { paymentCommands, recordReservationPayment } from '../reservation/payments/payment-commands.ts'
import { createProfile } from '../reservation/profiles/create-profile.ts'
import { eraseProfile } from '../reservation/profiles/erase-profile.ts'
import { changingSettings } from '../reservation/property/change-settings.ts'
import { epochCommands } from '../reservation/property/epoch.ts'
import {
  eraseRegistrations,
  registrationCommands,
} from '../reservation/registration/registration-commands.ts'
import { reservationCommands } from '../reservation/reservations/reservation-commands.ts'
import { reservationResources } from '../reservation/resources.ts'
import { stayCommands } from '../reservation/stays/stay-commands.ts'
import type { StayPorts } from '../reservation/stays/stay-policy.ts'
import { updateUnit } from '../reservation/units/update-unit.ts'
import type { Command } from '../resource/command.ts'
import { observersOf } from '../resource/observer.ts'
import type { Resources } from '../resource/path.ts'
import { plainCommands } from '../resource/plain-commands.ts'
import type { Projection } from '../resource/projection.ts'
import type { Resource } from '../resource/resource.ts'
import { retentionCommands } from '../retention/retention-commands.ts'
import { noteSetup } from '../setup/note-setup.ts'
import { erasingAgain } from '../startup/erase-again.ts'
import { founding } from '../startup/found-property.ts'
import { recoverRestored } from '../startup/recover-restored.ts'
import { isBeingPaid, terminalCommands } from '../terminal/terminal-commands.ts'
import { terminalResources } from '../terminal/terminal-resources.ts'
import { updateCommands } from '../update/update-commands.ts'

/** All resources of the appliance; those that others refer to come first. */
export const resources: Resources = new Map(
  [
    ...reservationResources,
    ...accessResources,
    ...pmsResources,
    ...terminalResources,
    backupTarget,
    token,
    ...staffResources,
    ...eventResources,
  ].map((each) => [each.type, each]),
)

export const plain = plainCommands(resources)
/** What other modules do when a stay is written. */
const ports: StayPorts = {
  keysFollow: keysFollowStay,
  everHadKey,
  letKeysWait,
  keyedUnits,
  isBeingPaid,
  hasShownCard,
  allotmentsFor,
}

export const stays = stayCommands(ports)
export const reservations = reservationCommands(ports)
export const assignment = assignmentCommands(ports, pickedUnits)

export const changeSettings = changingSettings(hasKiosk)

export const sync = syncChanges(ports)

export const erase = eraseProfile([eraseOnKeys, eraseInSync, eraseRegistrations])

/** Erases those who came back with a backup. */
export const eraseAgain = erasingAgain(erase)

export const foundProperty = founding(
  plain,
  fillWithSample({ plain, reservations, recordPayment: recordReservationPayment }),
)

/** All commands of the appliance. */
export const changes: readonly Command[] = [
  ...Object.values(plain),
  ...stays.all,
  ...reservations.all,
  ...assignment.all,
  updateUnit,
  setUnitTypeAvailability,
  blockUnit,
  publishPending,
  changeSettings,
  ...epochCommands,
  ...paymentCommands,
  ...handOverCommands,
  ...helpCallCommands,
  ...registrationCommands,
  ...terminalCommands,
  createProfile,
  erase,
  eraseAgain,
  foundProperty,
  ...tokenChanges,
  ...staffCommands,
  ...guestProofCommands,
  keepAnswer,
  noteFailures,
  ...accessCommands,
  ...pmsCommands,
  ...sync.all,
  noteStart,
  ...clockCommands,
  journalPurge({ held: webhookPlaces, places: linkPlaces }),
  ...retentionCommands,
  ...backupCommands,
  ...certificateCommands,
  ...updateCommands,
  noteNetwork,
  noteSupport,
  noteSetup,
  recoverRestored,
  ...webhookChanges,
]

/** What other modules do when a command writes a row. */
export const observers = observersOf([captureIntents, doorsFollowUnits, endsFollowClock])

const shapes = new Map<Resource, Projection>()

/** Returns the projection of a resource's complete document. */
export function shapeOf(resource: Resource): Projection {
  let shape = shapes.get(resource)
  if (!shape) {
    shape = documentShape(resource, (type) => resources.get(type)!)
    shapes.set(resource, shape)
  }
  return shape
}
