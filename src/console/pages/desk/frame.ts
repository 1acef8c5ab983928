import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button, chip, Dialog, notice } from '../lib/controls/controls.ts'
import { classes, el, type View } from '../lib/controls/el.ts'
import { Guarded } from '../lib/controls/guard.ts'
import { icon } from '../lib/controls/icons.ts'
import {
  areLettersOn,
  IsCovered,
  type Shortcut,
  setLetters,
  shortcuts,
  useShortcuts,
} from '../lib/controls/keys.ts'
import { later, loadLater } from '../lib/controls/later.ts'
import { goTo, linkTo, place } from '../lib/controls/route.ts'
import { useTitle } from '../lib/controls/title.ts'
import { dateOf, momentText, timeText, weekdayDate } from '../lib/language/format.ts'
import { heardAt, isLineDead, isLive } from '../lib/server/line.ts'
import { lock, may, now, session, tick, today } from '../lib/server/session.ts'
import { StillOpen } from '../sign-in/sign-in.ts'
import { Alarms } from './alarms.ts'
import { CardsElsewhere } from './cards/way.ts'
import { ClockDoubt } from './clock-doubt.ts'
import { type Screen, screens } from './screens.ts'
import { Search } from './search/search.ts'
import { t } from './texts.ts'
import { SoundSwitch } from './waiting/sound.ts'
import { WaitingGuests } from './waiting/waiting-guests.ts'

const GuestSheet = later<{ stayId: string; close: () => void }>(
  async () => (await import('./guest/sheet.ts')).GuestSheet,
)
const PersonDialog = later(async () => (await import('./person/person-dialog.ts')).PersonDialog)

/** The frame of every screen: navigation, time of the property, connection to the box, and the signed-in person. */
export function Frame(): View {
  const all = screens()
  const { screen, parts } = place.value
  const stayId = screen === 'stay' && may('reservations.read') ? parts[0] || null : null
  const behind = useRef('')
  const path = stayId === null ? screen : behind.current
  // The person who takes over may lack the scope for the screen in the address.
  const shown = all.find((each) => each.path === path) ?? all[0]
  useTitle(shown && t.value.screens[shown.name])
  useEffect(() => {
    if (shown) behind.current = shown.path
  })
  useEffect(() => {
    // The lists of the first screen are read first.
    const timer = setTimeout(() => void loadLater(), 2_000)
    return () => clearTimeout(timer)
  }, [])
  const [isHelp, setHelp] = useState(false)
  const [isPerson, setPerson] = useState(false)
  const isGoing = useScreenKeys(all, () => setHelp(true))
  return el.div(
    { class: classes('frame', isLineDead.value && 'no-line') },
    el.a({ class: 'skip', href: '#main' }, t.value.frame.skip),
    top(() => setPerson(true)),
    navigation(all, shown, isGoing),
    el.main(
      { id: 'main', class: 'main', tabIndex: -1 },
      h(StillOpen, {}),
      oldSince(),
      h(ClockDoubt, {}),
      h(WaitingGuests, {}),
      h(CardsElsewhere, { shownStay: stayId }),
      el.div(
        { class: classes(stayId !== null && 'with-sheet') },
        el.div(
          { class: 'behind' },
          shown
            ? h(
                IsCovered.Provider,
                { value: stayId !== null },
                h(Guarded, { key: shown.path }, h(shown.component, {})),
              )
            : notice('info', t.value.frame.notAllowed),
        ),
        stayId !== null &&
          h(Guarded, { key: stayId }, h(GuestSheet, { stayId, close: () => goTo(shown?.path ?? '') })),
      ),
    ),
    isPerson && h(PersonDialog, { close: () => setPerson(false) }),
    isHelp && h(KeysHelp, { close: () => setHelp(false) }),
  )
}

function top(openPerson: () => void): View {
  tick.value
  return el.header(
    { class: 'top' },
    el.time(null, `${weekdayDate(today.value)}  ${timeText(now())}`),
    may('reservations.read') && h(Search, {}),
    h(Alarms, {}),
    h(SoundSwitch, {}),
    line(),
    button(session.value?.name ?? '', { onClick: openPerson, icon: 'person' }),
    button(t.value.frame.lock, { onClick: () => void lock(), icon: 'lock', letter: 'g l' }),
  )
}

/** A page that has not connected yet shows no connection loss. Where space is short, a live line is shown by its picture. */
function line(): View | null {
  const { live } = t.value.frame
  if (isLive.value) return el.span({ class: 'chip ok live', title: live }, icon('line'), el.span(null, live))
  return isLineDead.value ? chip('warning', t.value.frame.noLine, 'noline') : null
}

/** Shows on every screen how old its data are while the connection is lost. */
function oldSince(): View | null {
  if (!isLineDead.value || heardAt.value === null) return null
  const since = heardAt.value + (now() - Date.now())
  const text = dateOf(since) === today.value ? timeText(since) : momentText(since)
  return notice('warning', t.value.frame.oldSince(text), el.p(null, t.value.frame.oldWhy))
}

function navigation(all: readonly Screen[], shown: Screen | undefined, isGoing: boolean): View {
  return el.nav(
    { class: 'side', 'aria-label': t.value.frame.screens },
    all.map(({ path, name, icon: picture, letter }) =>
      el.a(
        { key: path, href: linkTo(path), ...(path === shown?.path && { 'aria-current': 'page' as const }) },
        icon(picture),
        t.value.screens[name],
        isGoing && el.kbd(null, letter),
      ),
    ),
  )
}

/** `g` followed by a letter opens a screen; `?` lists the keys. Returns whether `g` was pressed. */
function useScreenKeys(all: readonly Screen[], help: () => void): boolean {
  const [isGoing, setGoing] = useState(false)
  const own: Shortcut[] = isGoing
    ? [
        ...all.map(({ path, name, letter }) => ({
          key: letter,
          name: t.value.screens[name],
          run: () => {
            setGoing(false)
            goTo(path)
          },
        })),
        {
          key: 'l',
          name: t.value.frame.lock,
          run: () => {
            setGoing(false)
            void lock()
          },
        },
        { key: 'Escape', name: '', run: () => setGoing(false) },
      ]
    : [
        ...all
          .filter(({ isDirect }) => isDirect)
          .map(({ path, name, letter }) => ({
            key: letter,
            name: t.value.screens[name],
            run: () => goTo(path),
          })),
        { key: 'g', name: `${t.value.frame.screens} …`, run: () => setGoing(true) },
        { key: '?', name: t.value.frame.keysHelp, run: help },
      ]
  useShortcuts(own, [isGoing, all.length])
  return isGoing
}

/** What is printed on a key that has no letter. */
const arrows: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

function KeysHelp({ close }: { close: () => void }): View {
  return h(
    Dialog,
    { title: t.value.frame.keysHelp, onClose: close },
    el.dl(
      { class: 'keys' },
      shortcuts.value
        .flatMap(({ own }) => own)
        .filter(({ name }) => name !== '')
        .map(({ key, name, ctrl }) => [
          el.dt({ key: `${key}-key` }, el.kbd(null, ctrl ? `Ctrl ${key}` : (arrows[key] ?? key))),
          el.dd({ key }, name),
        ]),
    ),
    el.label(
      { class: 'row' },
      el.input({
        type: 'checkbox',
        checked: areLettersOn.value,
        onChange: ({ currentTarget }) => setLetters(currentTarget.checked),
      }),
      t.value.frame.letters,
    ),
  )
}
