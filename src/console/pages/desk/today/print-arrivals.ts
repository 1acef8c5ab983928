import { asOfText, button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { heads } from '../../lib/controls/rows.ts'
import { numberText, weekdayDate } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { guestOf, nameInList, numberOf, type Stay } from '../../lib/server/resources.ts'
import { usePrinting } from '../papers/printing.ts'
import { g } from '../stay/texts.ts'
import type { StayList } from './lists.ts'
import { balanceText } from './stay-row.ts'
import { t } from './texts.ts'

interface PrintOptions {
  list: StayList
  /** When the list was read, Unix milliseconds. */
  asOf: number | null
  date: string
}

/** Prints the arrivals for a check-in on paper. It works without a connection, with the list that was read last. */
export function PrintArrivals({ list, asOf, date }: PrintOptions): View {
  const [printed, print] = usePrinting<'arrivals'>()
  const begin = () => print('arrivals')
  useShortcuts([{ key: 'p', name: t.value.print, run: begin }], [])
  return el.div(
    null,
    button(t.value.print, { onClick: begin, icon: 'print', letter: 'p' }),
    printed && paper(list, asOf, date),
  )
}

/** The printed page. The screen does not show it. */
function paper({ data, included, total }: StayList, asOf: number | null, date: string): View {
  const { room, guest, stay, number, toPay } = t.value
  return el.section(
    { class: 'paper' },
    el.h1(null, `${t.value.arrivals}, ${weekdayDate(date)}`),
    asOfText(asOf),
    total > data.length && el.p(null, t.value.printCut(numberText(data.length), numberText(total))),
    el.table(
      null,
      heads([room, guest, stay, number, toPay]),
      el.tbody(
        null,
        data.map((each) => line(each, nameInList(guestOf(each, included)))),
      ),
    ),
  )
}

function line(stay: Resource<Stay>, guest: string): View {
  const { units, nights } = stay.attributes
  const cells = [
    units.map(({ unitName }) => unitName ?? '–').join(', '),
    guest,
    g.value.nights(nights),
    numberOf(stay),
    balanceText(stay),
  ]
  return el.tr(
    { key: stay.id },
    cells.map((text, index) => el.td({ key: index }, text)),
  )
}
