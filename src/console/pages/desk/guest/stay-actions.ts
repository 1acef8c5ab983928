import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, Dialog, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { IconName } from '../../lib/controls/icons.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { later } from '../../lib/controls/later.ts'
import { usePassing } from '../../lib/controls/passing.ts'
import { goTo } from '../../lib/controls/route.ts'
import { dateOf } from '../../lib/language/format.ts'
import { type Resource, send } from '../../lib/server/api.ts'
import { guestOf, nameInList, type Stay, type StayStatus } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { assignRoom, hasRoom, type ShownStay, writeStay } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'

const dialogs = () => import('./stay-dialogs.ts')
const CheckIn = later(async () => (await dialogs()).CheckIn)
const EndStay = later(async () => (await dialogs()).EndStay)
const CheckOut = later(async () => (await dialogs()).CheckOut)

interface Action {
  name: string
  icon: IconName
  letter?: string
  isMain?: boolean
  /** The new status; absent for an action that changes none. */
  to?: StayStatus
  /** The work of an action without a new status. */
  does?(stay: Resource<Stay>): Promise<unknown>
  /** The explanation in the confirmation dialogue. */
  why?: string
  /** What is shown when it is done, where the stay does not show it. */
  done?: string
}

/** Returns the possible actions of a stay, the most likely first. The box decides whether an action is allowed. */
export function actionsOf(stay: Resource<Stay>): Action[] {
  const { status, startDate, checkedInAt, checkedOutAt } = stay.attributes
  const isToday = (instant: string | null) => instant !== null && dateOf(instant) === today.value
  const all: (Action | false)[] = [
    status === 'Confirmed' &&
      startDate <= today.value && {
        name: g.value.checkIn,
        icon: 'in',
        letter: 'c',
        isMain: true,
        to: 'InHouse',
      },
    status === 'Confirmed' &&
      !hasRoom(stay) && {
        name: g.value.assign,
        icon: 'door',
        letter: 'a',
        does: assignRoom,
      },
    status === 'Confirmed' &&
      startDate < today.value && {
        name: g.value.noShow,
        icon: 'absent',
        letter: 'n',
        to: 'NoShow',
      },
    ['Tentative', 'Waitlisted', 'Confirmed'].includes(status) && {
      name: g.value.cancelStay,
      icon: 'cross',
      to: 'Canceled',
    },
    status === 'InHouse' && {
      name: g.value.checkOut,
      icon: 'out',
      letter: 'o',
      isMain: stay.attributes.endDate <= today.value,
      to: 'CheckedOut',
      why: g.value.checkOutWhy,
    },
    status === 'InHouse' &&
      isToday(checkedInAt) && {
        name: g.value.revertIn,
        icon: 'undo',
        to: 'Confirmed',
        why: g.value.revertInWhy,
      },
    status === 'CheckedOut' &&
      isToday(checkedOutAt) && { name: g.value.revertOut, icon: 'undo', to: 'InHouse' },
    (status === 'NoShow' || status === 'Canceled') && {
      name: g.value.reinstate,
      icon: 'undo',
      to: 'Confirmed',
    },
    may('keys.issue') &&
      (status === 'InHouse' || (status === 'Confirmed' && startDate <= today.value)) && {
        name: g.value.release,
        icon: 'key',
        why: g.value.releaseWhy,
        does: ({ id }) => send('POST', `/api/v2/stays/${id}/actions/release`),
        done: g.value.released,
      },
  ]
  return all.filter((each) => each !== false)
}

const isEnding = ({ to }: Action) => to === 'CheckedOut' || to === 'Canceled' || to === 'NoShow'

interface ActionsOptions {
  shown: ShownStay
  changed: () => void
  /** The letter of an action that was chosen on another screen; null for none. */
  begin: string | null
}

/** The actions of a stay as buttons. A check-in first lets the clerk choose room and card. */
export function Actions({ shown, changed, begin }: ActionsOptions): View | null {
  const { stay } = shown
  const work = useWork()
  const [asked, setAsked] = useState<Action | null>(null)
  const [done, setDone] = usePassing()
  const [dialog, setDialog] = useState<'check-in' | 'check-out' | 'end' | 'confirm' | null>(null)
  const close = () => setDialog(null)
  const closeDone = () => {
    close()
    changed()
  }
  const all = may('reservations.write') ? actionsOf(stay) : []

  function press(action: Action): void {
    setAsked(action)
    setDone(null)
    if (action.to === 'InHouse' && stay.attributes.status === 'Confirmed') setDialog('check-in')
    else if (action.to === 'CheckedOut' && stay.attributes.outstanding) setDialog('check-out')
    else if (action.to === 'Canceled' || action.to === 'NoShow') setDialog('end')
    else if (action.why) setDialog('confirm')
    else void act(action, stay)
  }
  async function act({ to, does, done: said }: Action, from: Resource<Stay>): Promise<void> {
    if (await work.run(async () => (to ? writeStay(from, { status: to }) : does?.(from))))
      setDone(said ?? null)
    changed()
  }
  const yes = () => {
    close()
    if (asked) void act(asked, stay)
  }
  useEffect(() => {
    if (begin === null) return
    goTo('stay', [stay.id], true)
    const wanted = all.find(({ letter }) => letter === begin)
    if (wanted) press(wanted)
  }, [begin])
  useShortcuts(
    all.flatMap((each) =>
      each.letter ? [{ key: each.letter, name: each.name, run: () => press(each), isWriting: true }] : [],
    ),
    [all.map(({ name }) => name).join(), stay.id, stay.attributes.revision, work.isBusy],
  )
  return el.div(
    { class: 'stack' },
    el.div(
      { class: 'row' },
      all.map((each) =>
        button(each.name, {
          onClick: () => press(each),
          icon: each.icon,
          kind: isEnding(each) ? (each.isMain ? 'main danger' : 'danger') : each.isMain ? 'main' : 'plain',
          ...(each.letter && { letter: each.letter }),
          isBusy: work.isBusy,
        }),
      ),
    ),
    done !== null && notice('ok', done),
    workProblem(work, asked?.to ? { status: asked.to } : {}, ({ fresh }) => asked && void act(asked, fresh)),
    dialog === 'check-in' && h(CheckIn, { shown, onClose: close, changed, onDone: closeDone }),
    dialog === 'check-out' && h(CheckOut, { shown, onClose: close, changed, onDone: closeDone }),
    dialog === 'end' &&
      (asked?.to === 'Canceled' || asked?.to === 'NoShow') &&
      h(EndStay, { shown, to: asked.to, onClose: close, onDone: closeDone }),
    dialog === 'confirm' && asked && h(Confirm, { action: asked, shown, onClose: close, onYes: yes }),
  )
}

interface ConfirmOptions {
  action: Action
  shown: ShownStay
  onClose: () => void
  onYes: () => void
}

function Confirm({ action, shown: { stay, included }, onClose, onYes }: ConfirmOptions): View {
  return h(
    Dialog,
    { title: `${action.name}: ${nameInList(guestOf(stay, included))}`, onClose },
    el.div(
      { class: 'stack' },
      el.p(null, action.why),
      button(action.name, {
        onClick: onYes,
        kind: isEnding(action) ? 'main danger' : 'main',
        icon: action.icon,
        isFirst: true,
        isWriting: true,
      }),
    ),
  )
}
