import { h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ApiError } from '../../lib/api.ts'
import { button, failure, keepFocus, notice } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { icon } from '../../lib/icons.ts'
import { goTo } from '../../lib/route.ts'
import { forgetMaking, type Making, makeCard, makeSure, makings } from './card-making.ts'
import { g } from './texts.ts'

/** The card of a stay that is being made, step by step, and how it ended. */
export function CardWay({ stayId }: { stayId: string }): View | null {
  const making = makings.value.get(stayId)
  return making ? h(Way, { making }) : null
}

function Way({ making }: { making: Making }): View {
  const { order, ending } = making
  const section = useRef<HTMLElement>(null)
  // A card that begins or ends is brought into view, unless the clerk is at something else.
  useEffect(() => {
    const focus = document.activeElement
    const isElsewhere = focus !== document.body && focus?.id !== 'sheet' && focus?.closest('#sheet') === null
    if (isElsewhere || focus?.matches('input, select, textarea')) return
    section.current?.focus()
  }, [order.idempotencyKey, ending])
  useEffect(() => () => queueMicrotask(keepFocus), [])
  return el.section(
    {
      ref: section,
      tabIndex: -1,
      class: 'card-way',
      'aria-label': g.value.card.making(order.controllerName),
      'aria-live': 'polite',
    },
    el.h3(
      null,
      order.body.type === 'pinCode'
        ? g.value.card.makingPin(order.controllerName)
        : `${g.value.card.making(order.controllerName)}, ${g.value.room} ${order.room}`,
    ),
    order.body.type !== 'pinCode' && ending !== 'notMade' && steps(making),
    making.isWaiting && notice('warning', g.value.card.waiting),
    ending === null ? null : outcome(making),
    ending !== 'notMade' &&
      order.next.length > 0 &&
      el.p({ class: 'quiet' }, g.value.card.next(order.next.length)),
  )
}

const order = ['asked', 'writing', 'verified', 'presented', 'ended'] as const

function steps({ step, ending, order: { hasDispenser } }: Making): View {
  const reached = order.indexOf(step === 'recalled' ? 'presented' : step)
  const { place, fed, written, compared, take } = g.value.card
  const isDone = ending === 'inHand'
  const all = [
    [hasDispenser || reached > 0 ? fed : place, reached >= 1 || isDone],
    [written, reached >= 2 || isDone],
    [compared, reached >= 2 || isDone],
    [take, isDone],
  ] as const
  const current = all.findIndex(([, done]) => !done)
  return el.ol(
    { class: 'steps' },
    all.map(([text, done], index) =>
      el.li(
        {
          key: text,
          class: classes(done && 'done', index === current && 'current'),
          ...(index === current && { 'aria-current': 'step' as const }),
        },
        icon(done ? 'check' : index === current ? 'right' : 'clock'),
        text,
      ),
    ),
  )
}

function outcome(making: Making): View {
  const { order, ending, pin, problem, reason } = making
  const { card } = g.value
  const done = button(card.done, { onClick: () => forgetMaking(order.stayId) })
  if (ending === 'inHand')
    return notice(
      'ok',
      card.inHand,
      pin ? el.p({ class: 'pin' }, `${card.pin} ${pin}`) : el.p(null, card.inHandWhy),
      done,
    )
  if (ending === 'notKnown')
    return notice(
      'warning',
      card.notKnown,
      el.p(null, card.notKnownWhy),
      problem && el.p({ class: 'quiet' }, problem.message),
      button(card.makeSure, { onClick: () => void makeSure(making), kind: 'main' }),
    )
  return notice(
    'error',
    card.notMade,
    problem ? refusal(problem) : el.p(null, card.reasons[reason ?? ''] ?? card.noReason),
    el.div(
      { class: 'row' },
      button(card.again, { onClick: () => void makeCard(order), kind: 'main', icon: 'card' }),
      done,
    ),
  )
}

/** Why a card was not made. What a machine says is for a technician: the clerk reads what to do. */
function refusal(problem: ApiError): View {
  const { help, helpElse } = g.value.card
  if (!/^(dispenser|encoder)-/.test(problem.code)) return failure(problem)
  return el.div(
    null,
    el.p(null, el.strong(null, problem.title)),
    el.p(null, help[problem.code] ?? helpElse),
    el.details(
      null,
      el.summary({ class: 'quiet' }, g.value.card.machine),
      el.p({ class: 'quiet' }, problem.message),
    ),
  )
}

/** Cards that are being made for guests whose sheet is not on the screen. */
export function CardsElsewhere({ shownStay }: { shownStay: string | null }): View | null {
  const others = [...makings.value.values()].filter(
    ({ order: { stayId }, ending }) => stayId !== shownStay && ending !== 'inHand',
  )
  if (others.length === 0) return null
  return el.div(
    { class: 'row', role: 'status' },
    others.map(({ order: { stayId, guest, room }, ending }) =>
      notice(
        ending === null ? 'info' : 'warning',
        g.value.card.elsewhere(`${guest}, ${room}`),
        ending !== null && el.p(null, ending === 'notMade' ? g.value.card.notMade : g.value.card.notKnown),
        button(g.value.card.show, { onClick: () => goTo('stay', [stayId]) }),
      ),
    ),
  )
}
