/** The settings that say how long something is kept; whoever holds config.write may change them. In days. */
export const retentionSettings = { retentionDays: 730, personalDataDays: 1_095, recordDays: 3_650 } as const

type RetentionSetting = keyof typeof retentionSettings

/** What takes old rows of a table away, or empties them of what tells who somebody was. */
export interface Aged {
  /** What makes a row old, in words. */
  old: string
  /** How many days after that; nobody may change a number, and the settings say the others. */
  days: number | RetentionSetting
  /** The command that looks at one slice of the rows, by its name. */
  by: string
}

/** A table that needs no deletion: why it does not grow by itself, or the table whose rows its own go with. */
type Retention = readonly Aged[] | { bounded: string } | { with: string }

const configuration = { bounded: 'What the property is set up with: people make it and remove it.' }
const ofStay = { with: 'stay' }

/**
 * What becomes of the rows of every table in the end. A table that is not named here fails a test, so whoever makes one decides
 * how it stops growing.
 */
export const retention: Readonly<Record<string, Retention>> = {
  journal: [
    {
      old: 'written so long ago, a week at least, and heard by every webhook and PMS, or a month old',
      days: 'retentionDays',
      by: 'journal/purge',
    },
  ],
  idempotency: [{ old: 'answered', days: 1, by: 'retention/idempotency' }],
  tombstone: [{ old: 'deleted', days: 1, by: 'retention/tombstone' }],
  counter: {
    bounded: 'A number each for locks and webhooks.',
  },
  search: { bounded: 'Texts of the rows that there are; those of removed rows are taken out.' },
  search_pending: { bounded: 'Put into the index as soon as it is 40,000 letters, and every hour.' },
  migration: { bounded: 'A row for each step that made the schema.' },

  settings: { bounded: 'One row.' },
  property: configuration,
  amenity: configuration,
  unit_type: configuration,
  unit_type_amenity: { with: 'unit_type' },
  inventory_night: { bounded: 'A row for each unit type and date that stays hold, or that a PMS reported.' },
  availability_change: { with: 'unit_type' },
  unit: configuration,
  unit_amenity: { with: 'unit' },
  unit_block: { with: 'unit' },
  service: configuration,
  cancellation_policy: configuration,
  rate_plan: configuration,

  reservation: [
    {
      old: 'departed: its comments are emptied',
      days: 'personalDataDays',
      by: 'retention/reservation-comments',
    },
    { old: 'departed: it goes, with stays, keys and payments', days: 'recordDays', by: 'retention/records' },
  ],
  stay: [{ old: 'ended: its comments are emptied', days: 'personalDataDays', by: 'retention/stay-comments' }],
  stay_unit: ofStay,
  stay_held_unit: ofStay,
  stay_reservation_id: ofStay,
  stay_service: ofStay,
  stay_profile: ofStay,
  payment: { with: 'reservation' },
  payment_allotment: { with: 'payment' },
  // After the stays that name it.
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
  access_unit: { bounded: 'What the lock systems have, read anew.' },
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
  card_run: { with: 'key' },
  unit_to_check: { bounded: 'After a restore one for each unit, until somebody has checked it.' },

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
  sync_offer: { bounded: 'One for each reservation that waits to be told; it goes when that is done.' },
  quarantined_message: [
    {
      old: 'put aside; besides, a PMS has 10,000 at most',
      days: 'personalDataDays',
      by: 'retention/quarantine',
    },
  ],
  room_lease: [{ old: 'ended; besides, a PMS has 10,000 at most', days: 30, by: 'retention/room-leases' }],

  token: configuration,
  webhook: configuration,
  webhook_delivery: [{ old: 'given up', days: 30, by: 'webhook/forget-dead' }],
}

/** Whether rows of the table are taken away for their age. */
export function isAged(each: Retention): each is readonly Aged[] {
  return Array.isArray(each)
}

/** Every command that takes something away, once, with how many days after. */
export function agedTables(): Aged[] {
  return Object.values(retention).flatMap((each): readonly Aged[] => (isAged(each) ? each : []))
}
