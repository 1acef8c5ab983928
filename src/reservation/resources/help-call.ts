import { instant, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { handOver, handOverLanguages, word } from './hand-over.ts'

/** A guest at a kiosk who waits for a person of the front desk. A kiosk has one call at a time. */
export const helpCall = resource('help-call', {
  path: 'help-calls',
  scopes: handOver.scopes,
  operations: ['list', 'read'],
  bookkeeping: true,
  fields: {
    kioskId: text({
      required: true,
      readOnly: true,
      max: 60,
      unique: true,
      note: 'The station or the token of the kiosk.',
    }),
    kioskName: text({ readOnly: true, max: 200, note: 'Its name; null for one without a name.' }),
    failure: word('The code of the problem that stopped the guest, or `guest-asks`.'),
    step: word('What the guest was doing at the kiosk.'),
    language: oneOf(handOverLanguages, { readOnly: true, note: 'The language that the guest chose.' }),
    stayId: uuid({ readOnly: true, note: 'The stay that the guest has found; null while it is not known.' }),
    takenAt: instant({
      readOnly: true,
      note: 'When a person of the desk said to be on the way; null while the call is open.',
    }),
    expiresAt: instant({ required: true, readOnly: true, note: 'When the call ends.' }),
  },
})

export type HelpCall = Row<typeof helpCall.fields>
