import { instant, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The languages of a kiosk. */
export const handOverLanguages = ['en', 'de', 'es', 'fr', 'pt'] as const

/** What a kiosk reports with a hand-over. Words only: they must not contain personal data. */
export const word = (note: string) =>
  text({
    readOnly: true,
    max: 60,
    pattern: '^[a-z0-9][a-z0-9-]*$',
    patternForm: 'lower-case letters, digits and hyphens',
    note,
  })

/** A stay that a kiosk has handed over to the front desk, by the code that the guest tells there. */
export const handOver = resource('hand-over', {
  path: 'hand-overs',
  scopes: { read: 'hand-overs.read', write: 'hand-overs.write' },
  operations: ['list', 'read'],
  bookkeeping: true,
  fields: {
    code: text({
      required: true,
      readOnly: true,
      max: 4,
      unique: true,
      note: 'Four digits that no other open hand-over has.',
    }),
    reservationId: uuid({ required: true, readOnly: true }),
    stayId: uuid({ required: true, readOnly: true, unique: true }),
    failure: word('The code of the problem or of the failure that stopped the guest.'),
    step: word('The step of the kiosk at which the guest stopped.'),
    language: oneOf(handOverLanguages, { readOnly: true, note: 'The language that the guest chose.' }),
    expiresAt: instant({ required: true, readOnly: true, note: 'When the code ends by itself.' }),
  },
})

export type HandOver = Row<typeof handOver.fields>
