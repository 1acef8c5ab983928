import type { Signal } from '@preact/signals'
import { Fragment, h } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { countryNames } from '../../lib/language/country-names.ts'
import { codeText, dateText } from '../../lib/language/format.ts'
import { language } from '../../lib/language/language.ts'
import { type Signature, SignaturePad } from '../../registration/signature.ts'
import { fieldTexts } from '../../registration/texts.ts'
import type { Layout } from '../keyboard/key-rows.ts'
import type { Entry } from '../keyboard/keyboard.ts'
import type { decision, page } from '../page.ts'
import type { t as kioskTexts } from '../texts.ts'
import type { Visit } from '../visit.ts'
import { type Country, countriesLike } from './countries.ts'
import { dayOfDigits, digitsOfDay, type Question } from './questions.ts'
import { allQuestions, type State } from './state.ts'
import { t } from './texts.ts'

/** What every screen of the kiosk is made of. */
export interface Kit {
  Entry: typeof Entry
  page: typeof page
  decision: typeof decision
  texts: typeof kioskTexts
}

interface QuestionsOptions {
  kit: Kit
  visit: Visit
  state: Signal<State>
  answer(value: unknown): void
  back(): void
}

/** One question of a guest, as its screen needs it. */
interface Asked extends Omit<QuestionsOptions, 'state'>, Pick<State, 'problem' | 'rules'> {
  question: Question
  /** Whose registration it is, and how far it is. */
  whose: string
  /** What was answered before. */
  before: unknown
}

/** The present question of a registration. */
export function Questions({ state, ...given }: QuestionsOptions): View {
  const { forms, at, problem, rules } = state.value
  const all = allQuestions(forms)
  const { of, question } = all[at]!
  const { name, answers } = forms[of]!
  const whose = t.value.whose(name || given.kit.texts.value.guest, at + 1, all.length)
  const asked = { ...given, question, whose, problem, rules, before: answers[question] }
  return h(Fragment, { key: `${of} ${question}` }, h(screens[question], asked))
}

/** Each question with its screen. */
const screens: Record<Question, (asked: Asked) => View> = {
  birthDate: BirthDate,
  nationality: CountryChoice,
  line1: (asked) => typed(asked, { layout: 'text' }),
  postalCode: (asked) =>
    typed(asked, {
      layout: 'text',
      skip: { label: asked.kit.texts.value.skip, run: () => asked.answer(null) },
    }),
  city: (asked) => typed(asked, { layout: 'name' }),
  country: CountryChoice,
  documentType: DocumentType,
  documentNumber: (asked) => typed(asked, { layout: 'number', isSecret: true }),
  documentCountry: CountryChoice,
  acceptedRules: Rules,
  signature: Sign,
}

/** The label of a question, which is the title of its screen. */
const titleOf = ({ question }: Asked) =>
  question === 'acceptedRules' ? fieldTexts.value.houseRules : fieldTexts.value[question]

/** A question that is answered with the keyboard. */
function typed(
  asked: Asked,
  entry: { layout: Layout } & Partial<Parameters<typeof Entry>[0]>,
  says?: string,
): View {
  const { visit, whose, before, problem, answer, back, kit } = asked
  return kit.page({
    visit,
    title: titleOf(asked),
    says: says === undefined ? [whose] : [whose, says],
    controls: [
      h(kit.Entry, {
        visit,
        label: titleOf(asked),
        done: kit.texts.value.next,
        problem,
        back,
        initial: typeof before === 'string' ? before : '',
        onDone: answer,
        ...entry,
      }),
    ],
  })
}

/** The day in words, so that its guest sees whether the digits are right. */
function BirthDate(asked: Asked): View {
  const { before, answer } = asked
  const about = (typed: string) => {
    const day = dayOfDigits(typed)
    const isWhole = typed.replace(/\D/g, '').length >= 8
    const spoken = day
      ? dateText(day, { day: 'numeric', month: 'long', year: 'numeric' })
      : isWhole
        ? t.value.noSuchDay
        : ''
    const shows = el.p({ class: 'read-back', 'aria-live': 'polite' }, spoken)
    return { shows, spoken, isComplete: day !== null }
  }
  return typed(
    asked,
    {
      layout: 'digits',
      initial: typeof before === 'string' ? digitsOfDay(before) : '',
      about,
      onDone: (typed) => answer(dayOfDigits(typed)),
    },
    t.value.dayInDigits,
  )
}

/** So many countries have a place above the keyboard of each screen. */
const mostShown = 6

function countriesToFind(): Country[] {
  const short = new Intl.DisplayNames(language.value, { type: 'region', style: 'short' })
  return countryNames().map(([code, name]) => [code, name, short.of(code)])
}

/** A list of countries, which has the fitter ones the more is typed. */
function CountryChoice(asked: Asked): View {
  const { before, answer } = asked
  const all = useMemo(countriesToFind, [language.value])
  const about = (typed: string) => {
    const { countries, chosen } = countriesLike(typed, all)
    const more = countries.length - mostShown
    const spoken = countries.length === 0 ? t.value.noCountry : ''
    const hint = more > 0 ? t.value.moreCountries(more) : spoken
    const shows = el.div(
      { class: 'countries', role: 'group' },
      countries
        .slice(0, mostShown)
        .map(([code, name]) => el.div({ key: code }, button(name, { onClick: () => answer(code) }))),
      el.p({ 'aria-live': 'polite' }, hint),
    )
    return { shows, spoken, isComplete: chosen !== null }
  }
  return typed(
    asked,
    {
      layout: 'name',
      initial: typeof before === 'string' ? (codeText(before, 'region') ?? '') : '',
      about,
      onDone: (typed) => answer(countriesLike(typed, all).chosen),
    },
    t.value.chooseCountry,
  )
}

const problemOf = ({ problem }: Asked) => problem && el.p({ class: 'problem', role: 'alert' }, problem)

function DocumentType(asked: Asked): View {
  const { visit, whose, before, answer, back, kit } = asked
  return kit.page({
    visit,
    title: titleOf(asked),
    says: [whose],
    controls: [
      problemOf(asked),
      ...Object.entries(fieldTexts.value.documentTypes).map(([type, name]) =>
        button(name, { onClick: () => answer(type), kind: type === before ? 'main' : 'plain' }),
      ),
    ],
    decides: kit.decision(visit, null, back),
  })
}

/** The whole text, which two buttons move, because a keypad cannot. */
function Rules(asked: Asked): View {
  const { visit, whose, rules, answer, back, kit } = asked
  const panel = useRef<HTMLDivElement>(null)
  const move = (screens: number) => {
    const shown = panel.current
    shown?.scrollBy({ top: screens * 0.8 * shown.clientHeight })
  }
  if (!rules) throw new Error('the house rules were not read')
  const { version, language: written, text } = rules
  return kit.page({
    visit,
    title: titleOf(asked),
    says: [whose, t.value.readRules],
    spoken: `${whose} ${t.value.readRules} ${text}`,
    controls: [
      problemOf(asked),
      el.div({ ref: panel, class: 'panel rules', lang: written, tabIndex: 0 }, text),
      el.div(
        { class: 'choices' },
        button(t.value.up, { onClick: () => move(-1) }),
        button(t.value.down, { onClick: () => move(1), icon: 'down' }),
      ),
    ],
    decides: kit.decision(
      visit,
      button(t.value.accept, {
        onClick: () => answer({ version, language: written }),
        kind: 'main',
        icon: 'check',
      }),
      back,
    ),
  })
}

function Sign(asked: Asked): View {
  const { visit, whose, before, answer, back, kit } = asked
  const [strokes, change] = useState((before ?? []) as Signature)
  return kit.page({
    visit,
    title: titleOf(asked),
    says: [whose, t.value.sign],
    controls: [
      problemOf(asked),
      h(SignaturePad, { strokes, change }),
      // Who uses the keypad alone cannot sign. The desk takes the signature.
      button(t.value.cannotSign, { onClick: () => answer(null), icon: 'person' }),
    ],
    decides: kit.decision(
      visit,
      button(kit.texts.value.next, {
        onClick: () => answer(strokes),
        kind: 'main',
        isDisabled: strokes.length === 0,
      }),
      back,
    ),
  })
}
