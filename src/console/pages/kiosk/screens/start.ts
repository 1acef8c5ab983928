import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { longDate, plusDays } from '../../lib/language/format.ts'
import { changeLanguage, language, languageNames, languages } from '../../lib/language/language.ts'
import { sentenceOf } from '../failures.ts'
import { house, isDateUncertain, today } from '../house.ts'
import { Entry, isCharacter } from '../keyboard/keyboard.ts'
import { late } from '../late.ts'
import { decision, page } from '../page.ts'
import type { Screen } from '../screen.ts'
import { t } from '../texts.ts'
import { askForHelp, type Visit } from '../visit.ts'
import { enter, sayOther, search } from '../way.ts'

type SearchChoice = Extract<Screen, { name: 'searching' }>['choice']

/** The first page: it attracts guests, and offers the language. A scanner or a keyboard may be used at once. */
export function Welcome({ visit }: { visit: Visit }): View {
  const { name } = house.value
  useEffect(() => {
    const type = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !isCharacter(event.key)) return
      event.preventDefault()
      void enter(visit, 'number', false, event.key)
    }
    addEventListener('keydown', type)
    return () => removeEventListener('keydown', type)
  }, [])
  return page({
    visit,
    title: name ? t.value.welcomeTo(name) : t.value.welcome,
    says: [...(isDateUncertain.value ? [t.value.isDateRight(longDate(today()))] : []), t.value.howToStart],
    controls: [
      button(t.value.touchToStart, {
        onClick: () => void enter(visit, 'number', false),
        kind: 'main',
        icon: 'touch',
      }),
      el.div(
        { class: 'choices' },
        button(t.value.anotherCard, { onClick: () => void enter(visit, 'number', false), icon: 'key' }),
        button(t.value.checkOut, { onClick: () => void enter(visit, 'number', true), icon: 'out' }),
      ),
      el.div(
        { class: 'languages', role: 'group' },
        languages.map((each) =>
          el.button(
            {
              key: each,
              type: 'button',
              lang: each,
              class: 'button',
              'aria-pressed': each === language.value,
              onClick: () => void changeLanguage(each, false),
            },
            languageNames[each],
          ),
        ),
      ),
    ],
  })
}

/** The two ways to begin the search, at the top of either of them. */
function ways(visit: Visit, present: 'number' | 'name'): { above?: View } {
  if (visit.said.number || visit.said.name) return {}
  const way = (name: 'number' | 'name', text: string) =>
    el.button(
      {
        type: 'button',
        class: 'button',
        'aria-pressed': name === present,
        onClick: () => {
          if (name !== present) void enter(visit, name)
        },
      },
      text,
    )
  return {
    above: el.div(
      { class: 'ways', role: 'group' },
      way('number', t.value.haveNumber),
      way('name', t.value.byName),
    ),
  }
}

/** Why the guest is asked for the name after the number, or for the number after the name. */
const askedAgain = ({ said }: Visit) => (said.number || said.name ? [t.value.whyMore] : [])

/** A guest who has said one thing may say something that the booking has instead of the other. */
const otherWay = (visit: Visit) =>
  (visit.said.number || visit.said.name) && {
    skip: { label: t.value.otherWay, run: () => void sayOther(visit) },
  }

/** Asks for the number of the booking. */
export function EnterNumber({ visit }: { visit: Visit }): View {
  return page({
    visit,
    title: t.value.enterNumber,
    says: [t.value.withoutSigns, ...askedAgain(visit)],
    controls: [
      h(Entry, {
        visit,
        ...ways(visit, 'number'),
        label: t.value.number,
        layout: 'number',
        done: t.value.search,
        isSecret: true,
        initial: visit.typed,
        onDone: (typed) => void search(visit, 'number', { number: late.value?.numberIn(typed) ?? typed }),
        ...otherWay(visit),
      }),
    ],
  })
}

/** The search has no answer yet, and goes on. */
export function Searching({ visit, choice }: { visit: Visit; choice: SearchChoice }): View {
  return page({
    visit,
    title: sentenceOf('searchFailed'),
    says: choice === null ? [] : [t.value.searchChoice],
    controls:
      choice === null ? [] : [button(t.value.toDesk, { onClick: () => askForHelp(visit), icon: 'person' })],
    ...(choice && {
      decides: decision(
        visit,
        button(t.value.waitOn, { onClick: choice.waitOn, kind: 'main', icon: 'clock' }),
      ),
    }),
  })
}

/** What the booking has of a guest who does not know its number. */
export function EnterOnFile({ visit }: { visit: Visit }): View {
  return page({
    visit,
    title: t.value.enterOnFile,
    says: askedAgain(visit),
    controls: [
      h(Entry, {
        visit,
        label: t.value.onFile,
        layout: 'email',
        done: t.value.search,
        onDone: (onFile) => void search(visit, 'onFile', { onFile }),
      }),
    ],
  })
}

/** The last name, and then the day of arrival. A guest who has said the number is not asked for the day. */
export function EnterName({ visit }: { visit: Visit }): View {
  const [name, setName] = useState<string | null>(null)
  if (name !== null) return h(ChooseDay, { visit, name, back: () => setName(null) })
  const isLast = visit.said.number !== undefined
  return page({
    visit,
    title: t.value.enterName,
    says: askedAgain(visit),
    controls: [
      h(Entry, {
        visit,
        ...ways(visit, 'name'),
        label: t.value.lastName,
        layout: 'name',
        done: isLast ? t.value.search : t.value.next,
        onDone: (typed) => (isLast ? void search(visit, 'name', { name: typed }) : setName(typed)),
        ...otherWay(visit),
      }),
    ],
  })
}

/** A guest who arrives after midnight chooses the previous day. */
function ChooseDay({ visit, name, back }: { visit: Visit; name: string; back: () => void }): View {
  const [day, setDay] = useState(today())
  return page({
    visit,
    title: t.value.enterDay,
    says: [],
    shows: [el.p({ class: 'big', 'aria-live': 'polite' }, longDate(day))],
    controls: [
      el.div(
        { class: 'choices' },
        button(t.value.dayBefore, { onClick: () => setDay(plusDays(day, -1)), icon: 'left' }),
        button(t.value.dayAfter, { onClick: () => setDay(plusDays(day, 1)), icon: 'right' }),
      ),
    ],
    decides: decision(
      visit,
      button(t.value.search, {
        onClick: () => void search(visit, 'name', { name, arrival: day }),
        kind: 'main',
        icon: 'search',
      }),
      back,
    ),
  })
}
