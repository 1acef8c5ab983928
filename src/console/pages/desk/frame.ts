import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button, chip, Dialog, notice } from '../lib/controls.ts'
import { classes, el, type View } from '../lib/el.ts'
import { timeText, weekdayDate } from '../lib/format.ts'
import { icon } from '../lib/icons.ts'
import { areLettersOn, type Shortcut, setLetters, shortcuts, useShortcuts } from '../lib/keys.ts'
import { heardAt, isLive } from '../lib/live.ts'
import { goTo, linkTo, place } from '../lib/route.ts'
import { act, may, now, session, tick, today } from '../lib/session.ts'
import { PersonDialog } from '../lib/sign-in.ts'
import { Alarms } from './alarms.ts'
import { CardsElsewhere } from './guest/card-way.ts'
import { GuestSheet } from './guest/sheet.ts'
import { type Screen, screens } from './screens.ts'
import { Search } from './search/search.ts'
import { t } from './texts.ts'

/** The frame around every screen: where one is, the time of the property, the line to the box, and who is signed in. */
export function Frame(): View {
  const all = screens()
  const { screen, parts } = place.value
  const stayId = screen === 'stay' && may('reservations.read') ? parts[0] || null : null
  const behind = useRef('')
  const path = stayId === null ? screen : behind.current
  const shown = all.find((each) => each.path === path) ?? (path === '' ? all[0] : undefined)
  useEffect(() => {
    if (shown) behind.current = shown.path
  })
  const [isHelp, setHelp] = useState(false)
  const [isPerson, setPerson] = useState(false)
  const isGoing = useScreenKeys(all, () => setHelp(true))
  return el.div(
    { class: classes('frame', !isLive.value && heardAt.value !== null && 'no-line') },
    el.a({ class: 'skip', href: '#main' }, t.value.frame.skip),
    top(() => setPerson(true)),
    navigation(all, shown, isGoing),
    el.main(
      { id: 'main', class: 'main', tabIndex: -1 },
      h(CardsElsewhere, { shownStay: stayId }),
      el.div(
        { class: classes(stayId !== null && 'with-sheet') },
        el.div(
          { class: 'behind' },
          shown
            ? h(shown.component, { key: shown.path })
            : notice('info', all.length === 0 ? t.value.frame.notAllowed : t.value.frame.soon),
        ),
        stayId !== null && h(GuestSheet, { key: stayId, stayId, close: () => goTo(shown?.path ?? '') }),
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
    el.span({ class: 'grow' }),
    h(Alarms, {}),
    line(),
    button(session.value?.name ?? '', { onClick: openPerson, icon: 'person' }),
    button(t.value.frame.lock, { onClick: () => void act('lock'), icon: 'lock', letter: 'g l' }),
  )
}

/** A page that has heard nothing yet has lost nothing. */
function line(): View | null {
  if (isLive.value) return chip('ok', t.value.frame.live, 'line')
  return heardAt.value === null ? null : chip('warning', t.value.frame.noLine, 'noline')
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

/** `g` and then a letter goes to a screen; `?` lists the keys. Returns whether `g` was pressed. */
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
            void act('lock')
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
          el.dt({ key: `${key}-key` }, el.kbd(null, ctrl ? `Ctrl ${key}` : key)),
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
