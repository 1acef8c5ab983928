import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, chip, Dialog, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { linkTo } from '../../lib/controls/route.ts'
import type { Resource } from '../../lib/server/api.ts'
import { guestOf, nameInList, numberOf, type Stay } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { roomsOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { CardsTogether } from './cards-together.ts'
import { checkInOne, type Outcome } from './check-in-each.ts'
import { t } from './texts.ts'

interface TogetherOptions {
  stays: readonly Resource<Stay>[]
  included: readonly Resource[]
  onClose: () => void
}

/** The guest of a stay and the number of the booking, as a list of several stays shows them. */
export const guestText = (stay: Resource<Stay>, included: readonly Resource[]) =>
  `${nameInList(guestOf(stay, included))}, ${numberOf(stay)}`

/** Checks several stays in, one after the other, and lists each result. A second press repeats only what was refused. */
export function CheckInTogether({ stays, included, onClose }: TogetherOptions): View {
  // The list stays as it was opened: a guest who is in house leaves the arrivals.
  const [{ all, guests }] = useState({ all: stays, guests: included })
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)
  const open = all.filter(({ id }) => !left.has(id) && outcomes.get(id)?.isDone !== true)
  const isTried = outcomes.size > 0

  async function checkIn(): Promise<void> {
    for (const { id } of open) {
      setRunning(id)
      const outcome = await checkInOne(id)
      setOutcomes((before) => new Map(before).set(id, outcome))
    }
    setRunning(null)
  }
  const toggle = (id: string) =>
    setLeft(new Set(left.has(id) ? [...left].filter((each) => each !== id) : [...left, id]))
  const close = () => {
    if (running === null && !isMaking) onClose()
  }
  const nameOf = (stay: Resource<Stay>) => guestText(stay, guests)
  const arrived = all.filter(({ id }) => outcomes.get(id)?.isDone)
  const withCards = arrived.map((stay) => ({ stayId: stay.id, name: nameOf(stay) }))
  return h(
    Dialog,
    { title: t.value.title, onClose: close },
    el.div(
      { class: 'stack' },
      el.p({ class: 'quiet' }, t.value.why),
      el.ul(
        { class: 'rows' },
        all.map((stay) => {
          const { id } = stay
          const outcome = outcomes.get(id)
          return el.li(
            { key: id, class: 'row' },
            el.label(
              { class: 'row' },
              el.input({
                type: 'checkbox',
                checked: !left.has(id),
                disabled: running !== null || outcome?.isDone === true,
                onChange: () => toggle(id),
              }),
              nameOf(stay),
            ),
            el.span(null, outcome?.isDone ? outcome.rooms : roomsOf(stay) || g.value.noRoom),
            state(outcome, running === id),
            el.a({ href: linkTo('stay', id), onClick: close }, g.value.openSheet),
          )
        }),
      ),
      isTried && running === null && open.length === 0 && notice('ok', t.value.allDone),
      open.length > 0 &&
        !isMaking &&
        button(isTried ? t.value.again(open.length) : t.value.checkIn(open.length), {
          onClick: () => void checkIn(),
          kind: 'main',
          icon: 'in',
          isBusy: running !== null,
          isFirst: true,
        }),
      arrived.length > 0 &&
        may('keys.issue') &&
        h(CardsTogether, { isWaiting: running !== null, guests: withCards, onBusy: setMaking }),
      isTried && running === null && !isMaking && button(t.value.close, { onClick: onClose }),
    ),
  )
}

function state(outcome: Outcome | undefined, isRunning: boolean): View | null {
  if (isRunning) return chip('info', t.value.running, 'clock')
  if (!outcome) return null
  return outcome.isDone ? chip('ok', t.value.done) : el.span({ role: 'alert' }, t.value.refused(outcome.why))
}
