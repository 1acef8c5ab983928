import type { Resource } from '../resource/resource.ts'
import { housekeepingRecord } from './resources/housekeeping-record.ts'
import { pmsConfiguration } from './resources/pms-configuration.ts'
import { pmsWebhook } from './resources/pms-webhook.ts'
import { quarantinedMessage } from './resources/quarantined-message.ts'
import { roomLease } from './resources/room-lease.ts'
import { syncConflict } from './resources/sync-conflict.ts'
import { syncFact } from './resources/sync-fact.ts'
import { syncIntent } from './resources/sync-intent.ts'
import { syncLink } from './resources/sync-link.ts'
import { syncOffer } from './resources/sync-offer.ts'
import { syncRecord } from './resources/sync-record.ts'

/** All resources of the PMS module; a referenced resource comes before those that refer to it. */
export const pmsResources: readonly Resource[] = [
  pmsConfiguration,
  pmsWebhook,
  syncRecord,
  syncIntent,
  syncFact,
  syncConflict,
  syncLink,
  syncOffer,
  quarantinedMessage,
  roomLease,
  housekeepingRecord,
]
