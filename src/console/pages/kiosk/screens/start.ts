import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { longDate, plusDays } from '../../lib/format.ts'
import { changeLanguage, language, languageNames, languages } from '../../lib/language.ts'
import { house, today } from '../house.ts'
import { Entry } from '../keyboard.ts'
import { page } from '../page.ts'
import { t } from '../texts.ts'
import { show, visit } from '../visit.ts'
import { searchName, searchNumber } from '../way.ts'

/** The first page: the language, and how the guest is found. */
export function Welcome(): View {
  const { name } = house.value
  return page({
    title: name ? t.value.welcomeTo(name) : t.value.welcome,
    says: [t.value.howToStart],
    controls: [
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
      button(t.value.haveNumber, { onClick: () => show({ name: 'number' }), kind: 'main', icon: 'card' }),
      button(t.value.byName, { onClick: () => show({ name: 'name' }), kind: 'main', icon: 'person' }),
    ],
  })
}

const askedAgain = () => (visit.found ? [t.value.anotherCardWhy] : [])

export function EnterNumber(): View {
  return page({
    title: t.value.enterNumber,
    says: askedAgain(),
    controls: [
      h(Entry, {
        label: t.value.number,
        layout: 'number',
        done: t.value.search,
        isSecret: true,
        onDone: (number) => void searchNumber(number),
      }),
    ],
  })
}

/** The last name, and then the day of arrival. */
export function EnterName(): View {
  const [name, setName] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  if (name !== null) return h(ChooseDay, { name })
  return page({
    title: t.value.enterName,
    says: askedAgain(),
    controls: [
      h(Entry, {
        label: t.value.lastName,
        layout: 'name',
        done: t.value.next,
        problem,
        onDone: (typed) =>
          typed.replace(/[^\p{Letter}]/gu, '').length < 3 ? setProblem(t.value.tooShort) : setName(typed),
      }),
    ],
  })
}

/** A guest who arrives after midnight chooses the day before. */
function ChooseDay({ name }: { name: string }): View {
  const [day, setDay] = useState(today())
  return page({
    title: t.value.enterDay,
    says: [],
    shows: [el.p({ class: 'big', 'aria-live': 'polite' }, longDate(day))],
    controls: [
      el.div(
        { class: 'choices' },
        button(t.value.dayBefore, { onClick: () => setDay(plusDays(day, -1)), icon: 'left' }),
        button(t.value.dayAfter, { onClick: () => setDay(plusDays(day, 1)), icon: 'right' }),
      ),
      button(t.value.search, { onClick: () => void searchName(name, day), kind: 'main', icon: 'search' }),
    ],
  })
}
