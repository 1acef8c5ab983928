import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button, Choice, chip, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { ControllerChoice, useControllers, useOwnController } from '../cards/controllers.ts'
import { makings } from '../cards/making.ts'
import { cardTexts } from '../cards/texts.ts'
import { CardWay } from '../cards/way.ts'
import { g } from '../stay/texts.ts'
import { type CardGuest, type CardsEnded, cardsInTurn } from './cards-in-turn.ts'
import { t } from './texts.ts'

interface CardsOptions {
  guests: readonly CardGuest[]
  /** Whether they are being checked in now. */
  isWaiting?: boolean
  /** Called when the first card begins to be made, and when the last one has ended. */
  onBusy: (isBusy: boolean) => void
}

/** Makes the cards of several guests who are in house, one guest after the other, and lists how each ended. */
export function CardsTogether({ guests, isWaiting = false, onBusy }: CardsOptions): View {
  const all = useControllers().data ?? []
  const controllers = all.filter(({ attributes }) => attributes.keyType === 'keyCard')
  const { chosen, choose } = useOwnController(controllers)
  const [count, setCount] = useState<'room' | 'adult'>('room')
  const [ends, setEnds] = useState<ReadonlyMap<string, CardsEnded>>(new Map())
  const [turn, setTurn] = useState<{ guest: CardGuest; isAwaited: boolean } | null>(null)
  const press = useRef(() => {})
  const stop = useRef(new AbortController())
  const open = guests.filter(({ stayId }) => !hasCard(ends.get(stayId)))

  async function make(): Promise<void> {
    if (!chosen) return
    onBusy(true)
    stop.current = new AbortController()
    await cardsInTurn(open, {
      controller: chosen,
      isForEachAdult: count === 'adult',
      begins: (guest, isAwaited) => setTurn({ guest, isAwaited }),
      ended: ({ stayId }, as) => setEnds((before) => new Map(before).set(stayId, as)),
      pressed: () =>
        new Promise((resolve) => {
          press.current = resolve
        }),
      stopped: stop.current.signal,
    })
    setTurn(null)
    onBusy(false)
  }
  const goOn = () => press.current()
  const end = () => {
    stop.current.abort()
    goOn()
  }
  useEffect(() => end, [])
  if (controllers.length === 0) return el.p({ class: 'quiet' }, cardTexts.value.noEncoder)
  return el.section(
    { class: 'stack' },
    el.h3(null, t.value.cards),
    ends.size > 0 &&
      el.ul(
        { class: 'rows' },
        guests.map((guest) => line(guest, ends.get(guest.stayId))),
      ),
    turn && h(Turn, { ...turn, goOn, end }),
    !turn && open.length === 0 && notice('ok', t.value.allCards),
    !turn &&
      !isWaiting &&
      open.length > 0 &&
      el.div(
        { class: 'row end' },
        h(ControllerChoice, { all: controllers, value: chosen?.id ?? '', choose }),
        h(Choice, {
          label: g.value.cards,
          value: count,
          choices: [
            ['room', t.value.perRoom],
            ['adult', t.value.perAdult],
          ],
          onChange: (value) => setCount(value as typeof count),
        }),
        button(t.value.makeCards(open.length), {
          onClick: () => void make(),
          kind: 'main',
          icon: 'card',
          isFirst: true,
          isWriting: true,
        }),
      ),
  )
}

interface TurnOptions {
  guest: CardGuest
  isAwaited: boolean
  goOn: () => void
  end: () => void
}

/** The guest whose cards are being made. */
function Turn({ guest, isAwaited, goOn, end }: TurnOptions): View {
  const making = makings.value.get(guest.stayId)
  return el.div(
    { class: 'stack' },
    el.strong({ role: 'status' }, cardTexts.value.elsewhere(guest.name)),
    isAwaited && !making
      ? el.div(
          { class: 'stack' },
          el.p(null, cardTexts.value.layNext),
          button(t.value.makeNext(guest.name), {
            onClick: goOn,
            kind: 'main',
            icon: 'card',
            isFirst: true,
            isWriting: true,
          }),
        )
      : h(CardWay, { subject: guest.stayId }),
    (making?.ending === 'notMade' || making?.ending === 'notKnown') &&
      button(t.value.goOn, { onClick: goOn, icon: 'right', isWriting: true }),
    button(t.value.stop, { onClick: end, icon: 'cross' }),
  )
}

const hasCard = (end: CardsEnded | undefined) => end === 'had' || (typeof end === 'object' && 'rooms' in end)

function line({ stayId, name }: CardGuest, end: CardsEnded | undefined): View {
  return el.li(
    { key: stayId, class: 'row' },
    name,
    typeof end === 'object' && 'rooms' in end && [end.rooms, chip('ok', t.value.cardMade, 'card')],
    end === 'had' && chip('info', t.value.cardHad, 'card'),
    end === 'left' && chip('warning', t.value.cardLeft, 'card'),
    typeof end === 'object' && 'why' in end && el.span({ role: 'alert' }, t.value.noCard(end.why)),
  )
}
