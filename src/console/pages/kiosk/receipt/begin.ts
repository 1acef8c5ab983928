import { useEffect, useState } from 'preact/hooks'
import type { View } from '../../lib/controls/el.ts'
import { readStay, readTerminalPayment } from '../box.ts'
import { now } from '../house.ts'
import { keepFarewell } from '../idle.ts'
import { speak } from '../speech.ts'
import type { Visit } from '../visit.ts'

/** Whether this kiosk has a printer, as its address says: `/kiosk?receipts`. Its browser prints without a dialog. */
const hasPrinter = new URLSearchParams(location.search).has('receipts')

/**
 * Offers a receipt to a guest who has paid, at a kiosk with a printer. It comes when it is known that something was paid: no page waits
 * for it, and one without it is complete.
 */
export function OfferReceipt({ visit }: { visit: Visit }): View | null {
  const [draw, setDraw] = useState<(() => View) | null>(null)
  useEffect(() => {
    const { found, signal } = visit
    if (!hasPrinter || found === null) return
    import('./receipt.ts')
      .then(({ receiptOf }) =>
        receiptOf(found.stay, { signal, readStay, readTerminalPayment, keepFarewell, speak, now }),
      )
      .then((offer) => setDraw(() => offer))
      .catch((error: unknown) => {
        if (!signal.aborted) console.error(error)
      })
  }, [])
  return draw?.() ?? null
}
