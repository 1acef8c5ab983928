import { useEffect } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { icon } from '../../lib/controls/icons.ts'
import type { decision, page } from '../page.ts'
import type { t as kioskTexts } from '../texts.ts'
import type { Visit } from '../visit.ts'
import type { CardSeen, Taker } from './card-back.ts'
import { t } from './texts.ts'

/** What the screens are made of. */
export interface Kit {
  page: typeof page
  decision: typeof decision
  texts: typeof kioskTexts
  /** The card that the guest puts into the slot. */
  slotPicture(): View | undefined
  leave(): void
  chime(): void
}

export interface CardBackOptions {
  visit: Visit
  kit: Kit
  taker: Taker
  /** Begins again, after a card that proves nothing or none; absent while the device waits for one. */
  again?: () => void
  /** What became of the last card. */
  seen?: CardSeen
  /** What a guest does who has no card. */
  other: { label: 'noCard' | 'noMoreCards'; run(): void }
}

/** The guest shows the card, or hands it back. */
export function CardBack({ visit, kit, taker: { isReturn }, again, seen, other }: CardBackOptions): View {
  const { holdCard, insertCard, noCardCame, notYours, putOther, tryAgain } = t.value
  const problem = seen === 'kept' ? putOther : isReturn ? noCardCame : notYours
  useEffect(kit.chime, [again])
  const title = again ? problem : isReturn ? insertCard : holdCard
  return kit.page({
    visit,
    title,
    says: again ? [] : [isReturn ? t.value.whyReturn : t.value.whyShow],
    picture: isReturn ? kit.slotPicture() : el.div({ class: 'sign' }, icon('card')),
    controls: [
      !again && el.div({ class: 'at-work', role: 'progressbar', 'aria-label': title }),
      button(t.value[other.label], {
        onClick: other.run,
        icon: other.label === 'noCard' ? 'person' : 'check',
      }),
    ],
    decides: kit.decision(
      visit,
      again ? button(tryAgain, { onClick: again, kind: 'main', icon: 'card' }) : null,
    ),
  })
}

interface CheckedOutOptions extends Pick<CardBackOptions, 'visit' | 'kit'> {
  taker: Taker | null
  /** Takes one more card; null where the device takes none. */
  more: (() => void) | null
  /** The seconds until the page closes, and of how many. */
  left: number
  of: number
  /** The button that prints a receipt, where there is one. */
  receipt: View
}

/** The last page of a guest who leaves. */
export function CheckedOut({ visit, kit, taker, more, left, of, receipt }: CheckedOutOptions): View {
  useEffect(kit.chime, [])
  const { leave, texts } = kit
  const says = [t.value.isCheckedOut, ...(taker?.isReturn ? [] : [t.value.leaveCards])]
  return kit.page({
    visit,
    title: t.value.goodJourney,
    says,
    spoken: `${says.join(' ')} ${texts.value.closesIn(of)}`,
    controls: [
      el.p({ role: 'timer', class: 'closing' }, texts.value.closesIn(left)),
      receipt,
      more && button(t.value.anotherCard, { onClick: more, icon: 'card' }),
    ],
    decides: kit.decision(visit, button(texts.value.done, { onClick: leave, kind: 'main', icon: 'check' })),
  })
}
