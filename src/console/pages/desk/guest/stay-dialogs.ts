import { Fragment, h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { dayOnPaper } from '../../lib/controls/on-paper.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { TextArea } from '../../lib/controls/text-area.ts'
import { common } from '../../lib/language/common-texts.ts'
import { exampleAmount, minorOf, nightsBetween, plusDays, typedText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Controller, Stay } from '../../lib/server/resources.ts'
import { cardTexts } from '../cards/texts.ts'
import { amountIn } from '../payments/typed-amount.ts'
import { orderOriginals } from '../stay/order-cards.ts'
import { readStay, type ShownStay, stayWith, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { type ExtendedKeys, extendKeys } from './extend-keys.ts'
import { type StayDialog, scaled } from './stay-dialog.ts'

// In one script with these, because each script for itself makes the first screen larger.
export { CardsOfBooking, OfBooking, Selection } from '../group/selection.ts'
export { CheckOut } from '../payments/check-out.ts'
export { EndStay } from '../payments/end-stay.ts'
export { GiveBack } from '../payments/give-back.ts'
export { Pay } from '../payments/pay.ts'
export { ByHand, TakeBack } from '../payments/payment-dialogs.ts'
export { CheckIn } from './check-in.ts'
export { Guests } from './guests-dialog.ts'
export { Lost } from './lost-dialog.ts'
export { Move } from './move-dialog.ts'

/** So many nights more are saved at once. */
const mostWithoutAsking = 30

/** Changes day and time of departure and the price, then the end of each key. A card must be made anew. */
export function Extend({ shown, keys, controller, onClose }: StayDialog): View {
  const { stay } = shown
  const { startDate, endDate } = stay.attributes
  const work = useWork()
  const [written, setWritten] = useState<ShownStay | null>(null)
  const [keysLeft, setKeysLeft] = useState<ExtendedKeys | null>(null)
  const departure = useDeparture(stay)
  const { end, hasNewTime, change, isWrong } = departure
  // The departure that the clerk was asked about: a wrong year is easily typed.
  const [asked, ask] = useState<string | null>(null)
  const isFar = nightsBetween(endDate, end) > mostWithoutAsking
  async function extend(from = written?.stay ?? stay): Promise<void> {
    await writeStay(from, change)
    const now = await readStay(stay.id)
    setWritten(now)
    setKeysLeft(null)
    const extended = await extendKeys(now, hasNewTime)
    if (isAllExtended(extended, controller)) finish(now, extended.toMake)
    else setKeysLeft(extended)
  }
  function finish(now: ShownStay, rooms: readonly string[]): void {
    onClose()
    if (controller) void orderOriginals(now, controller, rooms)
  }
  function save(): void {
    if (isFar && asked !== end) ask(end)
    else if (!isWrong) void work.run(extend)
  }
  // The new departure is stored even when a key was refused.
  const close = () => {
    if (work.isBusy) return
    if (written) finish(written, keysLeft?.toMake ?? [])
    else onClose()
  }
  return h(
    Dialog,
    { title: g.value.extendTitle, onClose: close },
    el.form(
      { class: 'stack', onSubmit: prevented(save) },
      departureFields(stay, departure, work.isBusy),
      controller &&
        keys.some(({ attributes: { status } }) => status === 'live') &&
        el.p({ class: 'quiet' }, g.value.extendWhy(controller.attributes.name)),
      isFar &&
        asked === end &&
        notice('warning', g.value.isFar(dayOnPaper(end), nightsBetween(startDate, end))),
      workProblem(work, change, ({ fresh }) => void work.run(() => extend(fresh))),
      written && !work.isBusy && keysNotExtended(keysLeft, controller, close),
      button(written ? common.value.tryAgain : g.value.save, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        isBusy: work.isBusy,
      }),
    ),
  )
}

/** What the clerk enters of a departure, and the change of the stay that follows. The box suggests the price. */
function useDeparture(stay: Resource<Stay>) {
  const { endDate, endTime, amount } = stay.attributes
  const [end, setEnd] = useState(endDate)
  const [time, setTime] = useState(endTime ?? '')
  const [price, setPrice] = useState<string | null>(null)
  const hasNewTime = time !== (endTime ?? '')
  const dates = { endDate: end, ...(hasNewTime && { endTime: time === '' ? null : time }) }
  const { data: trial } = useRead(amount && JSON.stringify(dates), (signal) => stayWith(stay, dates, signal))
  const following = trial?.amount
  const suggested = following
    ? typedText(minorOf(following.amountWithTax, following.currency), following.currency)
    : ''
  const text = price ?? suggested
  const typed = amount && amountIn(text, amount.currency)
  const isWrong = price !== null && amount !== null && typed === null
  const change: Partial<Stay> = {
    ...dates,
    ...(amount && typed !== null && typed !== following?.amountWithTax && { amount: scaled(amount, typed) }),
  }
  return { end, setEnd, time, setTime, text, setPrice, hasNewTime, isWrong, change }
}

function departureFields(
  { attributes: { startDate, endDate, amount, currency } }: Resource<Stay>,
  { end, setEnd, time, setTime, text, setPrice, isWrong }: ReturnType<typeof useDeparture>,
  isBusy: boolean,
): View {
  return h(
    Fragment,
    null,
    el.div(
      { class: 'two' },
      h(Field, {
        label: g.value.departure,
        type: 'date',
        value: end,
        min: plusDays(startDate, 0),
        onInput: setEnd,
        hint: g.value.nights(Math.max(0, nightsBetween(startDate, end) || 0)),
        isFirst: true,
      }),
      h(Field, {
        label: g.value.departureTime,
        type: 'time',
        value: time,
        onInput: setTime,
        hint: g.value.usualTime,
      }),
    ),
    el.div(
      null,
      button(g.value.oneNightMore, {
        onClick: () => setEnd(plusDays(end === '' ? endDate : end, 1)),
        isDisabled: isBusy,
      }),
    ),
    amount &&
      h(Field, {
        label: g.value.price(currency ?? amount.currency),
        inputMode: 'decimal',
        value: text,
        onInput: setPrice,
        error: isWrong ? g.value.priceWrong(exampleAmount(amount.currency)) : null,
      }),
  )
}

const isAllExtended = ({ toMake, refused }: ExtendedKeys, controller: Resource<Controller> | null) =>
  refused.length === 0 && (toMake.length === 0 || controller !== null)

/**
 * Reports that the departure changed, and which keys still have the old end. Without `left` the keys were not processed
 * yet.
 */
function keysNotExtended(
  left: ExtendedKeys | null,
  controller: Resource<Controller> | null,
  goOn: () => void,
): View {
  const pins = (left?.refused ?? []).map(({ attributes: { unitName, keyType } }) =>
    `${unitName ?? ''} ${keyType === 'pinCode' ? 'PIN' : ''}`.trim(),
  )
  const missing = [...pins, ...(controller ? [] : (left?.toMake ?? []))]
  return notice(
    'warning',
    g.value.keysNotExtended,
    missing.length > 0 && el.p(null, g.value.keysLeft(missing.join(', '))),
    left?.problem && el.p(null, left.problem.message),
    !controller && left && left.toMake.length > 0 && el.p(null, cardTexts.value.noEncoder),
    button(g.value.goOnWithout, { onClick: goOn, isWriting: true }),
  )
}

/** Changes the hotel's comment on a stay. */
export function EditComment({ shown, onClose }: Pick<StayDialog, 'shown' | 'onClose'>): View {
  const { stay } = shown
  const work = useWork()
  const [text, setText] = useState(stay.attributes.comment ?? '')
  const change = { comment: text.trim() === '' ? null : text }
  const write =
    (from = stay) =>
    async () => {
      await writeStay(from, change)
      onClose()
    }
  return h(
    Dialog,
    { title: g.value.comment, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => void work.run(write())) },
      h(TextArea, { label: g.value.comment, value: text, onInput: setText, isFirst: true }),
      workProblem(work, change, ({ fresh }) => void work.run(write(fresh))),
      button(g.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}
