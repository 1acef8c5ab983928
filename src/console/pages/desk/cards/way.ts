import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button, Dialog, Field, keepFocus, notice } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { icon } from '../../lib/controls/icons.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { goTo, place } from '../../lib/controls/route.ts'
import type { ApiError } from '../../lib/server/api.ts'
import { may } from '../../lib/server/session.ts'
import { useControllers } from './controllers.ts'
import { type Ending, forgetMaking, type Making, makeCard, makeSure, makings } from './making.ts'
import { isNextAwaited, keyOf, nextOf, subjectOf } from './order.ts'
import { type CardTexts, cardTexts } from './texts.ts'

/** The card of a stay or another subject that is being made: its steps and its outcome. */
export function CardWay({ subject }: { subject: string }): View | null {
  const making = makings.value.get(subject)
  return making ? h(Way, { making }) : null
}

function Way({ making }: { making: Making }): View {
  const { order, ending } = making
  const isPin = 'type' in order.body && order.body.type === 'pinCode'
  const section = useRef<HTMLElement>(null)
  // When a card starts or ends, the focus moves to it, unless the clerk is working elsewhere on the page.
  useEffect(() => {
    const focus = document.activeElement
    const isElsewhere = focus !== document.body && focus?.id !== 'sheet' && focus?.closest('#sheet') === null
    if (isElsewhere || focus?.matches('input, select, textarea')) return
    section.current?.focus()
  }, [keyOf(order), ending])
  useEffect(() => () => queueMicrotask(keepFocus), [])
  const title = isPin
    ? cardTexts.value.makingPin(order.controllerName)
    : cardTexts.value.makingFor(order.controllerName, order.room)
  return el.section(
    {
      ref: section,
      tabIndex: -1,
      class: classes('card-way', ending === 'inHand' && 'ok'),
      'aria-label': cardTexts.value.making(order.controllerName),
    },
    ending !== 'inHand' && el.h3(null, title),
    !isPin && ending !== 'notMade' && ending !== 'inHand' && steps(making),
    making.isWaiting && notice('warning', cardTexts.value.waiting),
    ending === 'inHand' ? inHand(making, title) : ending !== null && outcome(making),
    // After a card in hand the next one is made, unless another person has taken over the station.
    (ending === null || ending === 'notKnown') &&
      order.next.length > 0 &&
      el.p({ class: 'quiet' }, cardTexts.value.next(order.next.length)),
  )
}

const order = ['asked', 'writing', 'verified', 'presented', 'ended'] as const

function steps({ step, ending, order: { hasDispenser } }: Making): View {
  const reached = order.indexOf(step === 'recalled' ? 'presented' : step)
  const { place, fed, written, compared, take } = cardTexts.value
  const isDone = ending === 'inHand'
  const all = [
    [hasDispenser || reached > 0 ? fed : place, reached >= 1 || isDone],
    [written, reached >= 2 || isDone],
    [compared, reached >= 2 || isDone],
    [take, isDone],
  ] as const
  const current = all.findIndex(([, done]) => !done)
  return el.ol(
    { class: 'steps', 'aria-live': 'polite' },
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

const doneButton = ({ order }: Making) =>
  button(cardTexts.value.done, { onClick: () => forgetMaking(subjectOf(order)) })

/** A card in hand needs one line; its steps are folded. The clerk says when the next one lies on the encoder. */
function inHand(making: Making, title: string): View {
  const card = cardTexts.value
  const next = isNextAwaited(making.order) ? nextOf(making.order) : null
  return el.div(
    { class: 'row' },
    icon('check'),
    el.strong({ role: 'status' }, card.inHand),
    making.pin
      ? el.p({ class: 'pin' }, `${card.pin} ${making.pin}`)
      : el.details(null, el.summary(null, title), steps(making), el.p(null, card.inHandWhy)),
    next && el.p(null, card.layNext),
    next &&
      button(card.nextCard(next.room), {
        onClick: () => void makeCard(next),
        kind: 'main',
        icon: 'card',
        isWriting: true,
      }),
    doneButton(making),
  )
}

function outcome(making: Making): View {
  const { order, ending, problem, reason } = making
  const card = cardTexts.value
  const done = doneButton(making)
  const next = nextOf(order)
  if (ending === 'notKnown')
    return notice(
      'warning',
      card.notKnown,
      el.p(null, card.notKnownWhy),
      problem && el.p({ class: 'quiet' }, problem.message),
      button(card.makeSure, { onClick: () => void makeSure(making), kind: 'main', isWriting: true }),
    )
  return notice(
    'error',
    card.notMade,
    problem ? h(Refusal, { making, problem }) : el.p(null, card.reasons[reason ?? ''] ?? card.noReason),
    el.div(
      { class: 'row' },
      button(card.again, {
        onClick: () => void makeCard(order),
        kind: 'main',
        icon: 'card',
        isWriting: true,
      }),
      next && button(card.skip(next.room), { onClick: () => void makeCard(next), isWriting: true }),
      done,
    ),
  )
}

/** For a moment after a failure, the box still reports the machine as ready. */
const settlesMs = 2_000

/**
 * Shows why a card was not made. The clerk reads the remedy and whether the machine works again; the machine's own
 * message is for a technician.
 */
function Refusal({ making, problem }: { making: Making; problem: ApiError }): View {
  const { help, helpElse, healed } = cardTexts.value
  const { data = [], readAgain } = useControllers()
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(true)
      readAgain()
    }, settlesMs)
    return () => clearTimeout(timer)
  }, [])
  if (mayOverride(problem)) return h(Override, { making, problem })
  if (!/^(dispenser|encoder)-/.test(problem.code)) return failure(problem)
  const { controllerId, controllerName } = making.order
  const isHealed = isSettled && data.some(({ id, attributes }) => id === controllerId && attributes.isReady)
  return el.div(
    null,
    el.p(null, el.strong(null, problem.title)),
    el.p(null, isHealed ? healed(controllerName) : (help[problem.code] ?? helpElse)),
    el.details(
      null,
      el.summary({ class: 'quiet' }, cardTexts.value.machine),
      el.p({ class: 'quiet' }, problem.message),
    ),
  )
}

/** Whether the card concerns another guest, and this person's word is enough to make it anyway. */
const mayOverride = ({ code, meta }: ApiError) =>
  code === 'unit-occupied' && typeof meta.scope === 'string' && may(meta.scope)

/** Makes the card although another guest is in the room. The box records the reason with the person's name. */
function Override({ making: { order }, problem }: { making: Making; problem: ApiError }): View {
  const [isAsked, ask] = useState(false)
  const [reason, setReason] = useState('')
  const { override, overrideTitle, overrideWhy, overrideReason, overrideHint } = cardTexts.value
  const text = reason.trim()
  return el.div(
    null,
    failure(problem),
    button(override, { onClick: () => ask(true), icon: 'key' }),
    isAsked &&
      h(
        Dialog,
        { title: overrideTitle(order.room), onClose: () => ask(false) },
        el.form(
          { class: 'stack', onSubmit: prevented(() => void makeCard({ ...order, override: text })) },
          el.p(null, overrideWhy),
          h(Field, {
            label: overrideReason,
            value: reason,
            onInput: setReason,
            hint: overrideHint,
            maxLength: 200,
            isFirst: true,
          }),
          button(override, {
            onClick: () => {},
            type: 'submit',
            kind: 'main',
            icon: 'key',
            isDisabled: text.length < 3,
          }),
        ),
      ),
  )
}

const endings: Record<Ending, (card: CardTexts) => string> = {
  inHand: ({ layNext }) => layNext,
  notMade: ({ notMade }) => notMade,
  notKnown: ({ notKnown }) => notKnown,
}

/**
 * The cards in progress for guests whose sheet is not on the screen, and for the staff while the screen Rooms is not
 * shown.
 */
export function CardsElsewhere({ shownStay }: { shownStay: string | null }): View | null {
  const isShown = (stayId: string | null) =>
    stayId === null ? place.value.screen === 'rooms' : stayId === shownStay
  const others = [...makings.value.values()].filter(
    ({ order, ending }) => (ending !== 'inHand' || isNextAwaited(order)) && !isShown(order.stayId),
  )
  // A person who takes over and makes no cards must not read whose they are.
  if (others.length === 0 || !may('keys.issue')) return null
  return el.div(
    { class: 'row' },
    others.map(({ order: { stayId, guest, room }, ending }) =>
      notice(
        ending === null ? 'info' : 'warning',
        cardTexts.value.elsewhere(`${guest}, ${room}`),
        ending !== null && el.p(null, endings[ending](cardTexts.value)),
        button(cardTexts.value.show, { onClick: () => (stayId ? goTo('stay', [stayId]) : goTo('rooms')) }),
      ),
    ),
  )
}
