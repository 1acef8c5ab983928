import { daysKept } from '../resource/answers-since.ts'

/** The settings for how long records are kept, in days. A token with config.write may change them. */
export const retentionSettings = {
  retentionDays: 730,
  personalDataDays: 1_095,
  registrationDays: 365,
  recordDays: 3_650,
} as const

/** How old rows of a table are deleted, or cleared of personal data. */
export interface Aged {
  /** When a row counts as old, in words. */
  old: string
  /** The number of days after that: a fixed number, or the name of the setting. */
  days: number | keyof typeof retentionSettings
  /** The name of the command that processes one slice of the rows. */
  by: string
}

/**
 * Why a table needs no deletion of its own: it is bounded, or its rows are deleted with those of another
 * table.
 */
type Retention = readonly Aged[] | { bounded: string } | { with: string }

const configuration = { bounded: 'Configuration of the property, created and deleted by people.' }
const ofStay = { with: 'stay' }

/**
 * The retention of every table. A test fails for a table that is missing here, so the author of a table must
 * decide how it stops growing.
 */
export const retention: Readonly<Record<string, Retention>> = {
  journal: [
    {
      old: 'as old as the setting says (at least a week), no longer needed for a webhook, and delivered to every PMS or a month old',
      days: 'retentionDays',
      by: 'journal/purge',
    },
    {
      old: 'written: a reason of a person, which may name a guest, is emptied',
      days: 'personalDataDays',
      by: 'retention/reasons',
    },
  ],
  idempotency: [{ old: 'answered', days: daysKept, by: 'retention/idempotency' }],
  tombstone: [{ old: 'deleted', days: daysKept, by: 'retention/tombstone' }],
  counter: {
    bounded: 'One row for each lock and webhook.',
  },
  search: { bounded: 'The texts of existing rows; the texts of removed rows are deleted.' },
  search_pending: { bounded: 'Moved into the index at 40,000 characters, and every hour.' },
  migration: { bounded: 'A row for each migration.' },

  settings: { bounded: 'One row.' },
  property: configuration,
  amenity: configuration,
  unit_type: configuration,
  unit_type_amenity: { with: 'unit_type' },
  hand_over: { bounded: 'At most 500 rows. Those that ended are removed with the next one.' },
  kiosk_image: { bounded: 'A row for the logo and one for the picture.' },
  help_call: { bounded: 'A row for each kiosk. Those that ended are removed with the next call.' },
  inventory_night: { bounded: 'A row for each unit type and date that stays hold, or that a PMS reported.' },
  availability_change: { with: 'unit_type' },
  unit: configuration,
  unit_amenity: { with: 'unit' },
  unit_block: { with: 'unit' },
  service: configuration,
  cancellation_policy: configuration,
  rate_plan: configuration,

  // Deleted before the reservations, which are kept as long.
  registration: [
    { old: 'the guest has departed: it is removed', days: 'registrationDays', by: 'retention/registrations' },
  ],
  reservation: [
    {
      old: 'departed: its comments are emptied',
      days: 'personalDataDays',
      by: 'retention/reservation-comments',
    },
    {
      old: 'departed, and no registration is kept: it goes, with stays, keys and payments',
      days: 'recordDays',
      by: 'retention/records',
    },
  ],
  stay: [{ old: 'ended: its comments are emptied', days: 'personalDataDays', by: 'retention/stay-comments' }],
  stay_unit: ofStay,
  stay_held_unit: ofStay,
  stay_reservation_id: ofStay,
  stay_service: ofStay,
  stay_profile: ofStay,
  payment_terminal: configuration,
  terminal_payment: { bounded: 'Those that were settled 90 days ago are removed with the next one.' },
  payment: { with: 'reservation' },
  payment_allotment: { with: 'payment' },
  // Deleted after the stays that refer to it.
  profile: [
    {
      old: 'the last stay of the person has ended, or was made so long ago without one',
      days: 'personalDataDays',
      by: 'retention/profiles',
    },
  ],

  access_provider: configuration,
  dispenser: configuration,
  access_controller: configuration,
  access_unit: { bounded: 'The units of the lock systems, replaced at each read.' },
  key_service: configuration,
  key: [
    {
      old: 'its window is over and it is proven dead, or was never made',
      days: 'retentionDays',
      by: 'retention/keys',
    },
    {
      old: 'its window is over: what was printed on the card',
      days: 'personalDataDays',
      by: 'retention/print-texts',
    },
  ],
  key_door: { with: 'key' },
  card_run: { with: 'key' },
  right_to_confirm: {
    bounded: 'One row for a token, an account or a station, until it is confirmed or ended.',
  },
  unit_to_check: { bounded: 'One row for each unit after a restore, until a person has checked the unit.' },

  pms_configuration: configuration,
  pms_webhook: { with: 'pms_configuration' },
  sync_record: [
    {
      old: 'its reservation has departed, or is gone',
      days: 'personalDataDays',
      by: 'retention/sync-records',
    },
  ],
  sync_conflict: [
    { old: 'found; besides, 20,000 are kept at most', days: 90, by: 'retention/sync-conflicts' },
  ],
  sync_link: { with: 'pms_configuration' },
  housekeeping_record: { bounded: 'One for each unit and PMS.' },
  sync_offer: {
    bounded:
      'One row for each reservation with an unsent change; it is deleted when the PMS has accepted the change.',
  },
  sync_intent: {
    bounded:
      'One row for each unsent group of fields of a stay; it is deleted when the PMS has accepted the change.',
  },
  sync_fact: {
    bounded:
      'One row for each payment that is not sent; it is deleted when the PMS has recorded the payment.',
  },
  quarantined_message: [
    {
      old: 'put aside; besides, a PMS has 10,000 at most',
      days: 'personalDataDays',
      by: 'retention/quarantine',
    },
  ],
  room_lease: [{ old: 'ended; besides, a PMS has 10,000 at most', days: 30, by: 'retention/room-leases' }],

  token: configuration,
  account: configuration,
  backup_target: configuration,
  station: configuration,
  session: {
    bounded:
      'At most twenty for each account and one for each station; each sign-in deletes those that are over.',
  },
  former_actor: [
    { old: 'deleted: its name goes with what it did', days: 'retentionDays', by: 'retention/former-actors' },
  ],
  webhook: configuration,
  webhook_delivery: [
    { old: 'happened, or sent again: it is given up', days: 30, by: 'webhook/expire' },
    { old: 'given up', days: 30, by: 'webhook/forget-dead' },
  ],
}

/** Whether rows of the table are deleted by age. */
export function isAged(each: Retention): each is readonly Aged[] {
  return Array.isArray(each)
}

/** Returns every retention rule once. */
export function agedTables(): Aged[] {
  return Object.values(retention).flatMap((each): readonly Aged[] => (isAged(each) ? each : []))
}
