import { el, type View } from '../../lib/controls/el.ts'
import { addressText, dayOnPaper } from '../../lib/controls/on-paper.ts'
import { codeText, moneyText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { numberOf, type Profile, type Stay } from '../../lib/server/resources.ts'
import { signaturePicture } from '../../registration/signature.ts'
import { fieldTexts } from '../../registration/texts.ts'
import { primaryOf, type WholeRegistration } from '../registrations/read.ts'
import { guestsOf, roomsOf, type ShownStay } from '../stay/stay.ts'
import { type House, paper, values } from './paper.ts'
import { t } from './texts.ts'

/** The rows that each paper of a stay begins with. */
export function stayRows(stay: Resource<Stay>): [string, string][] {
  const { startDate, endDate, nights, personCount } = stay.attributes
  return [
    [t.value.booking, numberOf(stay)],
    [t.value.room, roomsOf(stay)],
    [t.value.arrival, dayOnPaper(startDate)],
    [t.value.departure, dayOnPaper(endDate)],
    [t.value.nights, String(nights)],
    [t.value.persons, String(personCount.total)],
  ]
}

/**
 * The registration forms of a stay: a page for each guest who is named, and one to fill in by hand where no guest is. What is not
 * known is left free.
 */
export function registrationForms(
  shown: ShownStay,
  house: House,
  taken: ReadonlyMap<string, WholeRegistration>,
): View[] {
  const named = guestsOf(shown)
  return (named.length > 0 ? named : [undefined]).map((guest) =>
    form(shown.stay, guest?.attributes, house, taken.get(guest?.id ?? '')),
  )
}

function form(
  stay: Resource<Stay>,
  guest: Profile | undefined,
  house: House,
  taken: WholeRegistration | undefined,
): View {
  const { due, currency } = stay.attributes
  const { name, birthDate, nationality, address, document, email, phone, price } = t.value
  // What the guest was registered with counts, then what the profile knows.
  const named = taken ?? guest
  const born = taken?.birthDate ?? guest?.birthDate
  const citizen = taken?.nationality ?? guest?.nationality
  const lives = taken?.address ?? primaryOf(guest?.addresses)
  return paper(
    house,
    t.value.registration,
    values([
      ...stayRows(stay),
      [price, due !== null && currency !== null ? moneyText(due, currency) : null],
      [
        name,
        named && [named.firstName, taken ? '' : guest?.middleName, named.lastName].filter(Boolean).join(' '),
      ],
      [birthDate, born && dayOnPaper(born)],
      [nationality, citizen && codeText(citizen, 'region')],
      [address, lives && addressText(lives)],
      [document, taken ? documentText(taken) : null],
      [email, primaryOf(guest?.emails)?.address],
      [phone, primaryOf(guest?.phoneNumbers)?.number],
    ]),
    el.p(null, t.value.accepts),
    taken?.signature && signaturePicture(taken.signature),
    el.p({ class: 'signature' }, t.value.signature),
  )
}

/** Kind, number and country of a document, as far as they are known; null where nothing is. */
function documentText({ documentType, documentNumber, documentCountry }: WholeRegistration): string | null {
  const kind = documentType && fieldTexts.value.documentTypes[documentType]
  const issuer = documentCountry && codeText(documentCountry, 'region')
  return [kind, documentNumber, issuer].filter(Boolean).join(', ') || null
}
