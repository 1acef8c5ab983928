import { h } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { sentenceOf } from '../failures.ts'
import { enrol, house } from '../house.ts'
import { Entry } from '../keyboard.ts'
import { page } from '../page.ts'
import { t } from '../texts.ts'
import { leave, type Screen, show, visit } from '../visit.ts'
import { payHere } from '../way.ts'

/** A sentence that ends the way, with the code for the front desk where a colleague goes on. */
export function Sentence({ row, said, code }: Extract<Screen, { name: 'sentence' }>): View {
  const isSearch = row === 'notFound' || row === 'several'
  return page({
    title: sentenceOf(row, said),
    says: code === null ? [] : [t.value.yourCode(code), t.value.tellTheCode],
    spoken: code === null ? '' : `${t.value.yourCode([...code].join(' '))} ${t.value.tellTheCode}`,
    shows: [code !== null && el.p({ class: 'code' }, code), phone()],
    controls: [
      isSearch && button(t.value.haveNumber, { onClick: () => show({ name: 'number' }), kind: 'main' }),
      row === 'notFound' && button(t.value.byName, { onClick: () => show({ name: 'name' }) }),
      row === 'refused' &&
        visit.found &&
        button(t.value.payHere, { onClick: () => void payHere(visit.found!), kind: 'main', icon: 'card' }),
      button(t.value.startAgain, { onClick: leave, kind: isSearch ? 'plain' : 'main', icon: 'undo' }),
    ],
  })
}

function phone(): View | null {
  const { phone } = house.value
  return phone === null ? null : el.p({ class: 'phone' }, t.value.callUs(phone))
}

/** The kiosk cannot help anybody now. It goes on trying by itself. */
export function OutOfService(): View {
  return page({ title: sentenceOf('outOfService'), says: [], shows: [phone()], controls: [] })
}

/** The page of whoever sets the kiosk up. */
export function NotEnrolled(): View {
  const [problem, setProblem] = useState<string | null>(null)
  const go = async (code: string) => {
    try {
      await enrol(code)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error.status === 0 ? sentenceOf('outOfService') : t.value.enrol.wrong)
    }
  }
  return page({
    title: t.value.enrol.title,
    says: [t.value.enrol.how],
    controls: [
      h(Entry, {
        label: t.value.enrol.code,
        layout: 'digits',
        done: t.value.enrol.go,
        problem,
        onDone: (code) => void go(code),
      }),
    ],
  })
}
