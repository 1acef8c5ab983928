import { isZone } from '../../host/zone.ts'
import { texts, valueObject } from '../../resource/compound.ts'
import { country, flag, integer, oneOf, text, time } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { unknownCountry } from '../values/assumed-settings.ts'
import { expectCountry } from '../values/expect-country.ts'
import { type HouseRules, houseRulesSchema, registrationSettings } from '../values/house-rules.ts'
import { expectReadableAccent, type KioskSettings, kioskSettings } from '../values/kiosk-settings.ts'
import { unitStatuses } from '../values/unit-status.ts'

const word = { type: 'string', maxLength: 60 }
const progress = {
  type: 'object',
  properties: {
    skipped: { type: 'array', maxItems: 20, items: word, description: 'The steps that were left out.' },
    test: {
      type: ['object', 'null'],
      description: 'The last test card, from its making to the answer whether the door opened.',
      properties: {
        encoder: word,
        room: word,
        phase: { enum: ['making', 'at-door', 'opened', 'shut'] },
        uid: { ...word, type: ['string', 'null'] },
        at: {
          type: 'string',
          format: 'date-time',
          description: 'When the card ends, or the answer was given.',
        },
      },
      required: ['encoder', 'room', 'phase', 'at'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

interface BackupSchedule {
  /** HH:MM by the clock of the property. */
  at: string
  daily: number
  weekly: number
  monthly: number
}

const count = { type: 'integer', minimum: 1, maximum: 400 }
const backupSchedule = {
  type: 'object',
  properties: {
    at: {
      type: 'string',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      $comment: 'a time (HH:MM)',
      description: 'HH:MM by the clock of the property, every night.',
    },
    daily: { ...count, description: 'Days of which the newest backup is kept.' },
    weekly: { ...count, description: 'Weeks of which the newest backup is kept.' },
    monthly: { ...count, description: 'Months of which the newest backup is kept.' },
  },
  required: ['at', 'daily', 'weekly', 'monthly'],
  additionalProperties: false,
}

/** The settings of the property. Exactly one row exists; the first start creates it. */
export const settings = resource('settings', {
  base: '/api/config/v1',
  path: 'settings',
  operations: ['list', 'read'],
  scopes: { read: 'properties.read', write: 'config.write' },
  fields: {
    timeZone: text({ required: true }),
    checkInTime: time({ required: true }),
    checkOutTime: time({ required: true }),
    country: country({
      required: true,
      note: 'The country (ISO 3166-1 alpha-2) of phone numbers without a country prefix; ZZ while it is not known.',
    }),
    assignableStatuses: texts({
      default: ['Clean', 'Inspected'],
      note: 'The statuses in which a unit may be assigned to a guest who arrives today.',
    }),
    inspectionRequired: flag({ default: false }),
    allowOpenBalance: flag({
      default: false,
      note: 'Whether a guest may check out while something is still to be paid.',
    }),
    keyBeforePayment: flag({
      default: false,
      note: 'Whether a kiosk checks a guest in, and makes the key, while something is still to be paid.',
    }),
    acceptHousekeepingFrom: oneOf(['Local', 'Pms', 'Both'], { default: 'Local' }),
    autoMaterialize: flag({ default: false }),
    tenantId: text({ note: 'The tenant of this appliance. A request with another X-Tenant-ID is refused.' }),
    retentionDays: integer({
      min: 1,
      max: 36_500,
      default: 730,
      note: 'How long events and ended keys are kept for audits.',
    }),
    personalDataDays: integer({
      min: 30,
      max: 36_500,
      default: 1_095,
      note: 'How long after the last stay of a person the profile is kept before it is anonymised.',
    }),
    recordDays: integer({
      min: 30,
      max: 36_500,
      default: 3_650,
      note: 'How long after their departure reservations are kept, with their stays and payments.',
    }),
    registrationFields: texts({
      max: 20,
      note: 'The fields that the registration of a guest needs before the check-in, such as `birthDate`. Without any, no guest is registered.',
    }),
    houseRules: valueObject<HouseRules>(houseRulesSchema, {
      note: 'What guests accept when they are registered: a text for each language that the house has.',
    }),
    houseRulesVersion: integer({
      readOnly: true,
      default: 0,
      note: 'Each change of houseRules has the next number. 0 before there are any.',
    }),
    registrationDays: integer({
      min: 1,
      max: 36_500,
      default: 365,
      note: 'How long after the departure the registrations of guests are kept.',
    }),
    deskPhone: text({
      max: 40,
      note: 'The telephone number of the front desk, which a kiosk shows when it cannot help.',
    }),
    kiosk: valueObject<KioskSettings>(kioskSettings, {
      note: 'How the kiosks look, and what they tell each guest. Null: as the program comes.',
    }),
    backupSchedule: valueObject<BackupSchedule>(backupSchedule, {
      note: 'When backups are made, and how many are kept. Null: as `backup` in `nightporter.json` says.',
    }),
    setupProgress: valueObject(progress, {
      note: 'How far the set-up through the pages has come, beyond what the property itself shows.',
    }),
  },
  rules: {
    write: [
      ({ before, after }) => {
        expectReadableAccent(after.kiosk ?? null)
        expectCountry(after.country, '/country', [before?.country, unknownCountry])
        registrationSettings(before, after)
        if (!isZone(after.timeZone)) {
          throw invalidValue('/timeZone', 'timeZone must be an IANA time zone.', {
            expected: 'IANA time zone, such as Europe/Lisbon',
          })
        }
        const strange = after.assignableStatuses?.find(
          (status) => !(unitStatuses as readonly string[]).includes(status),
        )
        if (strange !== undefined) {
          throw invalidValue('/assignableStatuses', `${strange} is not a unit status.`, {
            allowed: unitStatuses,
          })
        }
      },
    ],
  },
})

export type Settings = Row<typeof settings.fields>
