import { h, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { addressText, dayOnPaper, momentOnPaper } from '../../lib/controls/on-paper.ts'
import { moneyText } from '../../lib/language/format.ts'
import { textsLoaded } from '../../lib/language/language.ts'
import { getList } from '../../lib/server/api.ts'
import type { Property } from '../../lib/server/resources.ts'
import type { readStay, readTerminalPayment, StayOfGuest } from '../box.ts'
import type { keepFarewell } from '../idle.ts'
import type { speak } from '../speech.ts'
import { t } from './texts.ts'

/** What the start script has. An import of it would cut that script into parts, which compress less well. */
interface Tools {
  /** Aborted when the guest leaves. */
  signal: AbortSignal
  readStay: typeof readStay
  readTerminalPayment: typeof readTerminalPayment
  keepFarewell: typeof keepFarewell
  speak: typeof speak
  /** The time of the box, Unix milliseconds. */
  now(): number
}

/** What is on a receipt. Amounts are in minor units of the currency. */
interface Receipt {
  house: Property | undefined
  stay: StayOfGuest & { paid: number; currency: string }
  /** The last payment at a terminal, and when it was taken; null where none counts, or a part was given back. */
  card: { at: string; amount: number; currency: string } | null
}

/**
 * Returns what draws the button for the receipt of a stay, as the box knows it now; null where nothing was paid. Rejects with an ApiError,
 * and when the guest leaves.
 */
export async function receiptOf(
  of: Pick<StayOfGuest, 'id' | 'reservationId'>,
  tools: Tools,
): Promise<(() => View) | null> {
  const { signal } = tools
  const { stay } = await tools.readStay(of, signal)
  const { paid, currency } = stay
  if (!paid || paid <= 0 || currency === null) return null
  const [last, { data }] = await Promise.all([
    tools.readTerminalPayment(stay, signal),
    getList<Property>('/api/v2/properties', { signal }),
    textsLoaded(),
  ])
  const card =
    last?.state === 'paid' && last.amount <= paid
      ? { at: last.settledAt ?? last.createdAt, amount: last.amount, currency: last.currency }
      : null
  const receipt = { house: data[0]?.attributes, stay: { ...stay, paid, currency }, card }
  return () => h(PrintReceipt, { receipt, tools })
}

function PrintReceipt({ receipt, tools }: { receipt: Receipt; tools: Tools }): View {
  const [isPrinted, setPrinted] = useState(false)
  const said = useRef<HTMLParagraphElement>(null)
  const start = () => {
    tools.keepFarewell()
    printed(paper(receipt, tools.now()), tools.signal)
    setPrinted(true)
    tools.speak(t.value.isPrinted)
  }
  // The button that had the focus is gone.
  useEffect(() => {
    if (isPrinted) said.current?.focus()
  }, [isPrinted])
  return el.div(
    { class: 'receipt-offer' },
    !isPrinted && button(t.value.print, { onClick: start, icon: 'print' }),
    el.p({ role: 'status', ref: said, tabIndex: -1 }, isPrinted && t.value.isPrinted),
  )
}

/** Prints a paper alone. It is in the document only while the browser prints it: the next guest finds nothing of it. */
function printed(view: View, signal: AbortSignal): void {
  const place = document.createElement('div')
  place.className = 'receipt'
  render(view, place)
  document.body.append(place)
  const end = () => place.remove()
  addEventListener('afterprint', end, { once: true, signal })
  signal.addEventListener('abort', end, { once: true })
  print()
}

/** The paper has no name: others may find it in the tray. */
function paper({ house, stay, card }: Receipt, now: number): View {
  const { due, paid, outstanding, currency, startDate, endDate, reservationIds } = stay
  const number = (reservationIds.find(({ type }) => type === 'Confirmation') ?? reservationIds[0])?.value
  const rows: [string, string | undefined][] = [
    [t.value.booking, number],
    [t.value.stay, `${dayOnPaper(startDate)} – ${dayOnPaper(endDate)}`],
    [
      t.value.byCard,
      card ? `${moneyText(card.amount, card.currency)}, ${momentOnPaper(card.at)}` : undefined,
    ],
    [t.value.due, due === null ? undefined : moneyText(due, currency)],
    [t.value.paid, moneyText(paid, currency)],
    [t.value.open, outstanding && outstanding > 0 ? moneyText(outstanding, currency) : undefined],
  ]
  return el.div(
    null,
    el.h1(null, house?.name ?? ''),
    house && el.p(null, addressText(house.address)),
    el.h2(null, t.value.receipt),
    el.dl(
      null,
      rows.map(([name, value]) => value && [el.dt({ key: name }, name), el.dd(null, value)]),
    ),
    el.p(null, t.value.noInvoice),
    el.p(null, `${t.value.printed} ${momentOnPaper(now)}`),
  )
}
