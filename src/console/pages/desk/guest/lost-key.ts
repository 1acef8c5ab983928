import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { linkTo } from '../../lib/controls/route.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Key } from '../../lib/server/resources.ts'
import { cardTexts } from '../cards/texts.ts'
import { commonText, doorsOf } from '../stay/open-doors.ts'
import { g } from '../stay/texts.ts'
import { t as desk } from '../texts.ts'

const paragraph = (text: string) => text && el.p({ key: text }, text)

/** Says that a key is blocked, and which of its doors it may still open. `all` are the keys of the stay. */
export function blockedNotice(key: Resource<Key>, all: readonly Resource<Key>[], onDone: () => void): View {
  const { keyType, mayOpen } = key.attributes
  const { units, closed } = doorsOf(key)
  const { blocked, blockedCard, blockedReplaced, blockedPin, blockedClosed, blockedDead } = g.value
  const ofCard = all.some((each) => isNewOriginal(each, key)) ? blockedReplaced : blockedCard
  const opens = keyType === 'keyCard' ? ofCard : blockedPin
  return notice(
    mayOpen ? 'warning' : 'ok',
    blocked(nameOf(key)),
    mayOpen
      ? [
          closed && blockedClosed(closed),
          commonText(key),
          // The last, because the link follows it.
          units && opens(units),
        ].map(paragraph)
      : el.p(null, blockedDead),
    el.div(
      { class: 'row' },
      mayOpen && el.a({ href: linkTo('keys') }, desk.value.screens.keys),
      button(cardTexts.value.done, { onClick: onDone }),
    ),
  )
}

/** Whether a first card of the same room was made after a key: its first use ends that key. */
function isNewOriginal({ attributes }: Resource<Key>, { attributes: old }: Resource<Key>): boolean {
  const { status, original, keyType, unitName, createdAt } = attributes
  const isFirst = status === 'live' && original && keyType === 'keyCard'
  return isFirst && unitName === old.unitName && createdAt >= old.createdAt
}

/** The name of a key with its room, such as `Room 201, copy 1`. */
export function nameOf({ attributes: { unitName, keyType, sequence, original } }: Resource<Key>): string {
  const name = keyType === 'pinCode' ? 'PIN' : g.value.madeAs(sequence, original)
  return `${g.value.room} ${unitName ?? ''}, ${name}`
}
