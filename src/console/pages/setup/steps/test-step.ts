import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, Choice, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { linked } from '../../lib/controls/linked.ts'
import { goTo, linkTo } from '../../lib/controls/route.ts'
import { timeText } from '../../lib/language/format.ts'
import { getAll, getList, type Resource, send } from '../../lib/server/api.ts'
import { textOf } from '../../lib/server/message.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Controller } from '../../lib/server/resources.ts'
import { now } from '../../lib/server/session.ts'
import { useSaving } from '../apply.ts'
import type { StepOptions } from '../house.ts'
import { progress, saveProgress, type Test } from '../house.ts'
import { t } from './texts.ts'

interface Unit {
  name: string
  status: string
}

/** A test card: made, read back and erased, then one for a real door. */
export function TestStep({ changed }: StepOptions): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'test',
    async (signal) => {
      const [encoders, units] = await Promise.all([
        getList<Controller>('/api/v2/access/controllers', { signal }),
        getAll<Unit>('/api/v2/units?page[size]=100&sort=name', 1_000, signal),
      ])
      const cards = encoders.data.filter(({ attributes }) => attributes.keyType === 'keyCard')
      return { encoders: cards, units: units.data }
    },
    ['controller.'],
  )
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.test.why),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data &&
      data.encoders.length === 0 &&
      notice('info', t.value.test.noEncoder, ' ', el.a({ href: linkTo('devices') }, t.value.test.toDevices)),
    data && data.units.length === 0 && notice('info', t.value.test.noRoom),
    data && data.encoders.length > 0 && data.units.length > 0 && h(Trial, { ...data, changed }),
  )
}

/** Where this tab keeps when it began to make a card. A reload keeps it; another tab or browser has none. */
const begunHere = 'nightporter.test-card'

interface TrialOptions {
  encoders: readonly Resource<Controller>[]
  units: readonly Resource<Unit>[]
  changed: () => void
}

function Trial({ encoders, units, changed }: TrialOptions): View {
  const { test } = progress.value
  /** The encoder that made the card of the test, because the key ends there. */
  const ofTest = encoders.find(({ attributes }) => attributes.name === test?.encoder) ?? encoders[0]!
  const [encoderId, setEncoder] = useState(ofTest.id)
  const [room, setRoom] = useState(test?.room ?? units[0]!.attributes.name)
  const encoder = encoders.find(({ id }) => id === encoderId) ?? encoders[0]!
  const { isReady, reason, messages, dispenserId } = encoder.attributes
  const { saving, done, isOwn, endLeft, tryCard, makeCard, answer } = useTest(encoder, ofTest, room, changed)
  return el.div(
    { class: 'stack' },
    el.div(
      { class: 'columns' },
      h(Choice, {
        label: t.value.test.encoder,
        value: encoder.id,
        choices: encoders.map(({ id, attributes }) => [id, attributes.name] as const),
        onChange: setEncoder,
      }),
      h(Choice, {
        label: t.value.test.room,
        value: room,
        choices: units.map(({ attributes }) => [attributes.name, attributes.name] as const),
        onChange: setRoom,
      }),
    ),
    // Once the card is made, the door is asked about, and no longer the encoder.
    !isReady && test?.phase !== 'at-door' && notice('warning', linked(textOf(messages) || reason)),
    saving.others([]).map((each) => notice('error', each)),
    done !== null && notice('ok', done),
    test?.phase === 'at-door' && doorQuestion(test, answer, saving.isBusy),
    test?.phase === 'making' && !isOwn && atAnother(test, endLeft, saving.isBusy),
    test?.phase !== 'at-door' &&
      (test?.phase !== 'making' || isOwn) &&
      el.p(
        { class: 'row' },
        button(t.value.test.tryCard, { onClick: tryCard, isBusy: saving.isBusy }),
        button(t.value.test.makeCard, {
          onClick: makeCard,
          isBusy: saving.isBusy,
          kind: 'main',
          icon: 'card',
        }),
        !dispenserId && el.span(null, t.value.test.layCard),
      ),
    test && outcome(test),
  )
}

/** Carries out one step with a card at an encoder. */
const stepAt = ({ id }: Resource<Controller>, body: object) =>
  send('POST', `/api/config/v1/access-controllers/${id}/actions/commission-step`, {
    body,
    timeoutMs: 120_000,
  })

/** The steps of the test. `ofTest`: the encoder that made the card. */
function useTest(
  encoder: Resource<Controller>,
  ofTest: Resource<Controller>,
  room: string,
  changed: () => void,
) {
  const [done, setDone] = useState<string | null>(null)
  const saving = useSaving()
  const { name } = encoder.attributes
  const { test } = progress.value
  const isOwn = test?.at === sessionStorage.getItem(begunHere)
  const end = () => stepAt(ofTest, { step: 'end' })
  const note = (part: Partial<Test>) =>
    saveProgress((before) => ({
      test: {
        encoder: name,
        room,
        phase: 'making',
        uid: null,
        at: new Date(now()).toISOString(),
        ...before.test,
        ...part,
      },
    }))
  const forget = () => saveProgress(() => ({ test: null }))
  // The page was left while a card was made. The outcome is unknown, so the key is revoked first.
  const endLeft = () =>
    saving.run(async () => {
      await end()
      await forget()
      setDone(t.value.test.interrupted)
    })
  useEffect(() => {
    if (test?.phase === 'making' && isOwn) endLeft()
  }, [])
  const tryCard = () =>
    saving.run(async () => {
      setDone(null)
      await stepAt(encoder, { step: 'card', unitName: room })
      setDone(t.value.test.erased)
    })
  const makeCard = () =>
    saving.run(async () => {
      setDone(null)
      const at = new Date(now()).toISOString()
      sessionStorage.setItem(begunHere, at)
      await note({ encoder: name, room, phase: 'making', at })
      const made = stepAt(encoder, { step: 'door-card', unitName: room })
      const { meta } = await made.catch(async (error: unknown) => {
        // The answer may be lost of a card that was made.
        await stepAt(encoder, { step: 'end' }).then(forget, () => {})
        throw error
      })
      await note({ phase: 'at-door', uid: String(meta?.uid ?? ''), at: String(meta?.validUntil) })
    })
  const answer = (phase: 'opened' | 'shut') =>
    saving.run(
      async () => {
        await end()
        await note({ phase, at: new Date(now()).toISOString() })
      },
      () => {
        changed()
        if (phase === 'opened') goTo('backup')
      },
    )
  return { saving, done, isOwn, endLeft, tryCard, makeCard, answer }
}

function outcome({ phase, room }: Test): View | null {
  const { opened, toReport, shut, shutAdvice } = t.value.test
  if (phase === 'opened')
    return notice('ok', opened(room), el.p(null, el.a({ href: linkTo('report') }, toReport)))
  return phase === 'shut' ? notice('error', shut(room), el.p(null, shutAdvice)) : null
}

/** The card of another window, which may have been closed. */
function atAnother({ encoder }: Test, end: () => void, isBusy: boolean): View {
  return notice(
    'info',
    t.value.test.atAnother(encoder),
    el.p(null, button(t.value.test.endIt, { onClick: end, isBusy })),
  )
}

function doorQuestion(test: Test, answer: (phase: 'opened' | 'shut') => void, isBusy: boolean): View {
  return notice(
    'info',
    t.value.test.goToDoor(test.room, timeText(test.at)),
    el.p(null, t.value.test.didItOpen),
    el.p(
      { class: 'row' },
      button(t.value.test.yes, { onClick: () => answer('opened'), kind: 'main', isBusy, icon: 'check' }),
      button(t.value.test.no, { onClick: () => answer('shut'), isBusy, icon: 'cross' }),
    ),
  )
}
