import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { momentOnPaper } from '../../lib/controls/on-paper.ts'
import { moneyText } from '../../lib/language/format.ts'
import { inLanguage } from '../../lib/language/in-language.ts'
import { isLanguage, type Language, language, languageNames, languages } from '../../lib/language/language.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import {
  guestOf,
  type Key,
  numberOf,
  type Payment,
  type Property,
  type Stay,
  spokenName,
} from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { brandOf } from '../payments/recording.ts'
import {
  primaryOf,
  readRegistration,
  readRegistrations,
  type WholeRegistration,
} from '../registrations/read.ts'
import { doorsOf } from '../stay/open-doors.ts'
import { readKeys, readStay, type ShownStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { letterFile } from './letter.ts'
import { type House, paper, table, values } from './paper.ts'
import { usePrinting } from './printing.ts'
import { registrationForms, stayRows } from './registration-form.ts'
import { saveLetter } from './save-letter.ts'
import { t } from './texts.ts'

/** The most payments, and keys, on one paper. */
const most = 100

type Kind = 'registration' | 'receipt' | 'keyReport'

export interface PapersOptions {
  stayId: string
  /** The language of the guest, such as `pt`; null where it is not known. */
  spoken: string | null
}

/**
 * Prints what a guest signs or takes along, in a language of the guest, and which keys were made for the stay. Each paper says what
 * the box says now.
 */
export function Papers({ stayId, spoken }: PapersOptions): View {
  const work = useWork()
  const [chosen, choose] = useState<Language | null>(isLanguage(spoken) ? spoken : null)
  const to = chosen ?? language.value
  const [printed, print] = usePrinting<readonly View[]>()
  const kinds: Kind[] = [
    'registration',
    ...(may('payments.read') ? (['receipt'] as const) : []),
    ...(may('keys.read') ? (['keyReport'] as const) : []),
  ]
  const [saved, save] = useState<Saved | null>(null)
  const begin = (kind: Kind) =>
    void work.run(async () => {
      save(null)
      print(await drawn(kind, stayId, to))
    })
  const mail = () => void work.run(async () => save(await mailed(stayId, to)))
  return el.section(
    { class: 'stack' },
    el.h3(null, t.value.papers),
    el.div(
      { class: 'row' },
      kinds.map((kind) =>
        button(t.value[kind], { onClick: () => begin(kind), icon: 'print', isBusy: work.isBusy }),
      ),
      may('payments.read') &&
        button(t.value.receiptByMail, { onClick: mail, icon: 'download', isBusy: work.isBusy }),
      h(Choice, {
        label: t.value.language,
        value: to,
        choices: languages.map((each) => [each, languageNames[each]] as const),
        onChange: (value: string) => choose(value as Language),
      }),
    ),
    workProblem(work, {}, () => {}),
    saved && el.p({ role: 'status' }, t.value.saved(saved.file, saved.to)),
    printed,
  )
}

/** A letter that was saved: its file, and the address of the guest if it is known. */
interface Saved {
  file: string
  to: string | null
}

/** Saves the receipt as a letter to the guest. Throws ApiError. */
async function mailed(stayId: string, to: Language): Promise<Saved> {
  const [shown, house] = await Promise.all([readStay(stayId), readHouse()])
  const { stay, included } = shown
  const { subject, page } = await receiptIn(to, shown, house)
  const address = primaryOf(guestOf(stay, included)?.attributes.emails)?.address ?? null
  const file = letterFile(numberOf(stay))
  saveLetter({ to: address, subject }, page, file)
  return { file, to: address }
}

/** Reads what is on a paper, and returns its pages. The report of the keys is for the house. Throws ApiError. */
async function drawn(kind: Kind, stayId: string, to: Language): Promise<readonly View[]> {
  const [shown, house] = await Promise.all([readStay(stayId), readHouse()])
  if (kind === 'keyReport') return [keyReport(shown, await readKeys(stayId), house)]
  if (kind === 'receipt') return [(await receiptIn(to, shown, house)).page]
  const taken = await readTaken(stayId)
  return inLanguage(to, () => registrationForms(shown, house, taken))
}

/** The receipt in a language, as a page and with what is above it as a letter. */
async function receiptIn(
  to: Language,
  shown: ShownStay,
  house: House,
): Promise<{ subject: string; page: View }> {
  const payments = await readPayments(shown.stay)
  return inLanguage(to, () => ({
    subject: [t.value.receipt, house?.name].filter(Boolean).join(', '),
    page: receipt(shown, payments, house),
  }))
}

/** The registrations of the stay with what the caller may see, by the profile of the guest. */
async function readTaken(stayId: string): Promise<ReadonlyMap<string, WholeRegistration>> {
  const taken = may('registrations.read') ? await readRegistrations(stayId) : []
  const whole = await Promise.all(taken.map(({ id }) => readRegistration(id)))
  return new Map(whole.map(({ data: { attributes } }) => [attributes.profileId, attributes]))
}

async function readHouse(): Promise<House> {
  if (!may('properties.read')) return null
  const { data } = await getList<Property>('/api/v2/properties?page[size]=1')
  return data[0]?.attributes ?? null
}

/** The payments and refunds that count and have a share for the stay, the oldest first. */
async function readPayments({ id }: Resource<Stay>): Promise<Resource<Payment>[]> {
  const path = `/api/v2/payments?filter[allotments.stayId]=${id}&filter[voided]=false&sort=createdAt&page[size]=${most}`
  return (await getList<Payment>(path)).data
}

function receipt(shown: ShownStay, payments: readonly Resource<Payment>[], house: House): View {
  const { stay, included } = shown
  const { due, paid, outstanding, currency } = stay.attributes
  const rows = payments.map((each) => {
    const { attributes } = each
    const sum = moneyText(attributes.amount, attributes.currency)
    return [
      momentOnPaper(attributes.createdAt),
      brandOf(each),
      (attributes.allotments ?? []).length > 1 ? t.value.wholeBooking : '',
      attributes.kind === 'Refund' ? `${t.value.givenBack} ${sum}` : sum,
    ]
  })
  const rest = outstanding ?? 0
  const sums: [string, string][] =
    due === null || currency === null
      ? []
      : [
          [t.value.due, moneyText(due, currency)],
          [t.value.paid, moneyText(paid ?? 0, currency)],
          [rest < 0 ? t.value.toGiveBack : t.value.toPay, moneyText(Math.abs(rest), currency)],
        ]
  return paper(
    house,
    t.value.receipt,
    values([[t.value.guest, spokenName(guestOf(stay, included))], ...stayRows(stay)]),
    rows.length === 0
      ? el.p(null, t.value.noPayments)
      : table([t.value.date, t.value.how, '', t.value.amount], rows),
    payments.length === most && el.p(null, t.value.more),
    values(sums),
    el.p(null, t.value.noInvoice),
  )
}

/** Each key of the stay, the oldest first. A PIN is named and never printed. */
function keyReport(shown: ShownStay, keys: readonly Resource<Key>[], house: House): View {
  const { stay, included } = shown
  const rows = keys.toReversed().map((each) => {
    const { keyType, sequence, original, doors, createdAt, validFrom, validUntil, status, mayOpen } =
      each.attributes
    const { units, common } = doorsOf(each)
    const all = doors.flatMap(({ unitName, authorization }) => unitName ?? authorization ?? [])
    const isOver = !['live', 'virtual', 'pendingWrite'].includes(status)
    const still = [units, common].filter(Boolean).join(', ')
    return [
      keyType === 'pinCode' ? 'PIN' : g.value.madeAs(sequence, original),
      all.join(', '),
      momentOnPaper(createdAt),
      [validFrom, validUntil].map((at) => (at === null ? '' : momentOnPaper(at))).join(' – '),
      [g.value.keyStatus[status] ?? status, isOver && mayOpen && `${t.value.mayOpen}: ${still}`]
        .filter(Boolean)
        .join(', '),
    ]
  })
  const { key, opens, made, valid, state } = t.value
  return paper(
    house,
    t.value.keyReport,
    values([[t.value.guest, spokenName(guestOf(stay, included))], ...stayRows(stay)]),
    rows.length === 0 ? el.p(null, t.value.noKeys) : table([key, opens, made, valid, state], rows),
    keys.length === most && el.p(null, t.value.more),
  )
}
