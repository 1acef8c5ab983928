import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Dialog, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { exampleAmount, minorOf, moneyText, typedText } from '../../lib/language/format.ts'
import { getAll, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Stay, UnitType } from '../../lib/server/resources.ts'
import { amountIn } from '../payments/typed-amount.ts'
import { unitText, useFreeUnits } from '../stay/free-units.ts'
import { orderOriginals } from '../stay/order-cards.ts'
import { readStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { moveStay } from './move-stay.ts'
import { type StayDialog, scaled } from './stay-dialog.ts'

/**
 * Moves the stay to another room, also of another type, and makes a new first card after the old cards were revoked. A room of
 * another type has the price of the stay, unless the clerk writes another one.
 */
export function Move({ shown, keys, controller, onClose }: StayDialog): View {
  const { stay } = shown
  const { units: own, amount } = stay.attributes
  const work = useWork()
  const types = useTypes()
  const target = useTarget(stay)
  const { index, left, typeId, free, choices, wanted, isOther, isWrong, change } = target
  const [areCardsEnded, setCardsEnded] = useState(false)
  const isLive = keys.some(
    ({ attributes: { status, unitName } }) => status === 'live' && unitName === left?.unitName,
  )

  async function move(from = stay): Promise<void> {
    if (!wanted || isWrong) return
    let isEnded = areCardsEnded
    const cardsEnd = () => {
      isEnded = true
      setCardsEnded(true)
    }
    await moveStay({ stay: from, left: left?.unitName ?? null, to: wanted, change, cardsEnd })
    onClose()
    const now = await readStay(stay.id)
    if (isEnded && controller) await orderOriginals(now, controller, [wanted.attributes.name])
  }
  return h(
    Dialog,
    { title: g.value.moveTitle, onClose },
    el.form(
      { class: 'stack', onSubmit: prevented(() => wanted && void work.run(move)) },
      free.problem && failure(free.problem, free.readAgain),
      own.length > 1 &&
        h(Choice, {
          isFirst: true,
          label: g.value.roomToLeave,
          value: String(index),
          choices: own.map(({ unitName }, at) => [String(at), unitName ?? g.value.noRoom] as const),
          onChange: (at) => target.setIndex(Number(at)),
        }),
      types.length > 1 &&
        h(Choice, {
          label: g.value.typeOfRoom,
          value: typeId ?? '',
          choices: types,
          onChange: target.chooseType,
        }),
      loadingBar(free.isLoading),
      !free.isLoading && choices.length === 0 && el.p(null, g.value.noFreeRoom),
      choices.length > 0 &&
        h(Choice, {
          isFirst: own.length === 1,
          label: g.value.room,
          value: wanted?.id ?? '',
          choices: choices.map((each) => [each.id, unitText(each)] as const),
          onChange: target.setUnit,
        }),
      isOther && !amount && el.p({ class: 'quiet' }, g.value.nothingDue),
      isOther && amount && priceField(amount, target.shownPrice, target.setPrice, isWrong),
      isLive && el.p({ class: 'quiet' }, g.value.moveWhy),
      workProblem(work, change, ({ fresh }) => void work.run(() => move(fresh))),
      work.problem && areCardsEnded && notice('warning', g.value.cardsEnded),
      button(g.value.save, {
        onClick: () => {},
        type: 'submit',
        kind: 'main',
        isBusy: work.isBusy,
        isDisabled: !wanted || isWrong,
      }),
    ),
  )
}

/** The room to which the stay moves, with its price, as the fields of the dialogue choose them. */
function useTarget(stay: Resource<Stay>) {
  const { units: own, amount } = stay.attributes
  const [index, setIndex] = useState(0)
  const [typed, setType] = useState<string | null>(null)
  const [unitId, setUnit] = useState('')
  const [priced, setPrice] = useState<string | null>(null)
  const left = own[index]
  const typeId = typed ?? left?.unitTypeId ?? null
  const free = useFreeUnits(stay, typeId)
  const choices = (free.data ?? []).filter(({ id }) => !own.some((each) => each.unitId === id))
  const wanted = choices.find(({ id }) => id === unitId) ?? choices[0]
  const isOther = typeId !== left?.unitTypeId
  const kept = amount && typedText(minorOf(amount.amountWithTax, amount.currency), amount.currency)
  const price = isOther && amount ? amountIn(priced ?? kept ?? '', amount.currency) : null
  const isWrong = isOther && amount !== null && price === null
  const to = wanted && {
    unitId: wanted.id,
    unitTypeId: wanted.attributes.unitTypeId,
    unitName: wanted.attributes.name,
  }
  const change: Partial<Stay> = {
    ...(to && { units: own.map((each, at) => (at === index ? { ...each, ...to } : each)) }),
    ...(amount && price !== null && price !== amount.amountWithTax && { amount: scaled(amount, price) }),
  }
  const chooseType = (id: string) => {
    setType(id)
    setUnit('')
  }
  const shownPrice = priced ?? kept ?? ''
  return {
    index,
    setIndex,
    left,
    typeId,
    chooseType,
    free,
    choices,
    wanted,
    setUnit,
    isOther,
    shownPrice,
    setPrice,
    isWrong,
    change,
  }
}

/** The price of a room of another type. */
function priceField(
  { amountWithTax, currency }: NonNullable<Stay['amount']>,
  value: string,
  onInput: (price: string) => void,
  isWrong: boolean,
): View {
  return h(Field, {
    label: g.value.price(currency),
    inputMode: 'decimal',
    value,
    onInput,
    hint: g.value.priceKept(moneyText(minorOf(amountWithTax, currency), currency)),
    error: isWrong ? g.value.priceWrong(exampleAmount(currency)) : null,
  }) as View
}

/** The types of room with their names, as choices. */
function useTypes(): readonly (readonly [id: string, name: string])[] {
  const { data } = useRead('types of room', (signal) =>
    getAll<UnitType>('/api/v2/unit-types?sort=name&page[size]=100', 200, signal),
  )
  return (data?.data ?? []).map(({ id, attributes: { code, name } }) => [
    id,
    name === code || !code ? name : `${name} (${code})`,
  ])
}
