import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { button } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { type IconName, icon } from '../../lib/controls/icons.ts'
import { apiErrorOf } from '../../lib/server/answer.ts'
import { type Row, sentenceOf } from '../failures.ts'
import { enrol, house } from '../house.ts'
import { Entry } from '../keyboard/keyboard.ts'
import { late } from '../late.ts'
import { decision, page } from '../page.ts'
import type { Screen } from '../screen.ts'
import { t } from '../texts.ts'
import { leave, type Visit } from '../visit.ts'
import { enter, payHere } from '../way.ts'

/** The icon of what the guest waits for, or what is missing. Otherwise a person helps. */
const signs: Partial<Record<Row, IconName>> = {
  notFound: 'search',
  tooMany: 'clock',
  later: 'clock',
  preparing: 'clock',
  toPay: 'card',
  refused: 'card',
  paymentUnknown: 'card',
}

/** The last sentence of a visit, with the code for the front desk if a colleague must continue. */
export function Sentence({
  visit,
  row,
  said,
  code,
}: Extract<Screen, { name: 'sentence' }> & { visit: Visit }): View {
  const isSearch = row === 'notFound'
  const { value: state } = visit.call
  // A guest to whom a person comes is not sent to the desk.
  const isComing = state === 'coming'
  const call = state === null || isComing ? '' : t.value.calls[state]
  const sign = signs[row]
  return page({
    visit,
    title: isComing ? t.value.calls.coming : sentenceOf(row, said),
    says: codeTexts(code, code),
    spoken: [call, ...codeTexts(code, [...(code ?? '')].join(' '))].join(' '),
    shows: [
      call && el.p({ class: classes('state', state!) }, icon(state === 'called' ? 'check' : 'alarm'), call),
    ],
    picture: sign ? el.div({ class: 'sign' }, icon(sign)) : late.value?.bellPicture(),
    controls: [
      code && el.p({ class: 'panel code' }, code),
      phone(),
      isSearch && button(t.value.haveNumber, { onClick: () => void enter(visit, 'number'), kind: 'main' }),
      isSearch && button(t.value.byName, { onClick: () => void enter(visit, 'name') }),
      row === 'refused' &&
        visit.found &&
        button(t.value.payHere, {
          onClick: () => void payHere(visit, visit.found!),
          kind: 'main',
          icon: 'card',
        }),
    ],
    decides: decision(
      visit,
      button(t.value.startAgain, { onClick: leave, kind: isSearch ? 'plain' : 'main', icon: 'undo' }),
    ),
  })
}

/** What the guest tells at the desk. `written` is the code as it is shown or spoken. */
function codeTexts(code: string | null, written: string | null): string[] {
  if (code === null || written === null) return []
  return code === '' ? [t.value.noCode] : [t.value.yourCode(written), t.value.tellTheCode]
}

/** The telephone number of the desk, to read and to scan. */
function phone(): View | null {
  const { phone } = house.value
  if (phone === null) return null
  return el.div(
    { class: 'panel phone' },
    icon('phone'),
    el.p(null, t.value.callUs(phone)),
    late.value?.telephonePicture(phone),
  )
}

/** The kiosk is out of service. It keeps retrying automatically. */
export function OutOfService({ visit }: { visit: Visit }): View {
  return page({
    visit,
    title: sentenceOf('outOfService'),
    says: [],
    controls: [phone()],
    picture: late.value?.bellPicture(),
  })
}

/** Returns why this screen did not become a kiosk, by the status of the refusal. Its code may be right all the same. */
function problemOf(status: number): string {
  if (status === 429) return sentenceOf('tooMany')
  return status === 0 || status >= 500 ? sentenceOf('outOfService') : t.value.enrol.wrong
}

/** The page for setting the kiosk up. */
export function NotEnrolled({ visit }: { visit: Visit }): View {
  const [problem, setProblem] = useState<string | null>(null)
  const isBusy = useRef(false)
  const go = async (code: string) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      await enrol(code)
    } catch (error) {
      setProblem(problemOf(apiErrorOf(error).status))
    } finally {
      isBusy.current = false
    }
  }
  useEffect(() => {
    // The QR code of the set-up leads here.
    const [, code] = /^#\/enrol\/(\d+)$/.exec(location.hash) ?? []
    if (code === undefined) return
    history.replaceState(null, '', location.pathname)
    void go(code)
  }, [])
  return page({
    visit,
    title: t.value.enrol.title,
    says: [t.value.enrol.how],
    controls: [
      h(Entry, {
        visit,
        label: t.value.enrol.code,
        layout: 'digits',
        done: t.value.enrol.go,
        problem,
        onDone: (code) => void go(code),
      }),
    ],
  })
}
