import type { Resource } from '../../lib/api.ts'
import { el, type View } from '../../lib/el.ts'
import { codeText, dateText, moneyText } from '../../lib/format.ts'
import { numberOf, type Profile, type Stay } from '../../lib/resources.ts'
import { roomsOf, type ShownStay } from '../guest/stay.ts'
import { addressText, type House, paper, values } from './paper.ts'
import { t } from './texts.ts'

const dayOf = (date: string) => dateText(date, { day: 'numeric', month: 'long', year: 'numeric' })

/** The rows that each paper of a stay begins with. */
export function stayRows(stay: Resource<Stay>): [string, string][] {
  const { startDate, endDate, nights, personCount } = stay.attributes
  return [
    [t.value.booking, numberOf(stay)],
    [t.value.room, roomsOf(stay)],
    [t.value.arrival, dayOf(startDate)],
    [t.value.departure, dayOf(endDate)],
    [t.value.nights, String(nights)],
    [t.value.persons, String(personCount.total)],
  ]
}

/**
 * The registration forms of a stay: a page for each guest who is named, and one to fill in by hand where no guest is. What is not
 * known is left free.
 */
export function registrationForms({ stay, included }: ShownStay, house: House): View[] {
  const { profiles } = stay.attributes
  const named = profiles
    .filter(({ role }) => role === 'PrimaryGuest' || role === 'AdditionalGuest')
    .map(({ id }) =>
      included.find((each): each is Resource<Profile> => each.type === 'profile' && each.id === id),
    )
  return (named.length > 0 ? named : [undefined]).map((guest) => form(stay, guest?.attributes, house))
}

function form(stay: Resource<Stay>, guest: Profile | undefined, house: House): View {
  const { due, currency } = stay.attributes
  const { name, birthDate, nationality, address, document, email, phone, price } = t.value
  const lives = primaryOf(guest?.addresses)
  return paper(
    house,
    t.value.registration,
    values([
      ...stayRows(stay),
      [price, due !== null && currency !== null ? moneyText(due, currency) : null],
      [name, guest && [guest.firstName, guest.middleName, guest.lastName].filter(Boolean).join(' ')],
      [birthDate, guest?.birthDate && dayOf(guest.birthDate)],
      [nationality, guest?.nationality && codeText(guest.nationality, 'region')],
      [address, lives && addressText(lives)],
      [document, null],
      [email, primaryOf(guest?.emails)?.address],
      [phone, primaryOf(guest?.phoneNumbers)?.number],
    ]),
    el.p(null, t.value.accepts),
    el.p({ class: 'signature' }, t.value.signature),
  )
}

function primaryOf<Each extends { primary?: boolean }>(
  all: readonly Each[] | null | undefined,
): Each | undefined {
  return all?.find(({ primary }) => primary) ?? all?.[0]
}
