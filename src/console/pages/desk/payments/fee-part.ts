import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { moneyText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Stay } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'

/** The fee of a stay whose guest did not come. Once it is charged, it is to pay as a price is. */
export function FeePart({ stay, changed }: { stay: Resource<Stay>; changed: () => void }): View | null {
  const { cancellationFee: fee, feeCharged } = stay.attributes
  const work = useWork()
  if (fee === null) return null
  const change = { feeCharged: !feeCharged }
  const write = (from = stay) =>
    void work.run(async () => {
      await writeStay(from, change)
      changed()
    })
  const sum = moneyText(fee.amount, fee.currency)
  return el.div(
    { class: 'stack' },
    notice(
      feeCharged ? 'info' : 'warning',
      feeCharged ? g.value.feeCharged(sum) : g.value.fee(sum),
      fee.amount > 0 &&
        may('reservations.write') &&
        button(feeCharged ? g.value.waiveFee : g.value.chargeFee, {
          onClick: () => write(),
          icon: feeCharged ? 'undo' : 'money',
          isBusy: work.isBusy,
        }),
    ),
    workProblem(work, change, ({ fresh }) => write(fresh)),
  )
}
