import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { getAll, getList, type Resource, send } from '../../lib/api.ts'
import { button, Choice, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { timeText } from '../../lib/format.ts'
import { linked } from '../../lib/linked.ts'
import { textOf } from '../../lib/message.ts'
import { useRead } from '../../lib/read.ts'
import { failure } from '../../lib/refusal-text.ts'
import type { Controller } from '../../lib/resources.ts'
import { goTo, linkTo } from '../../lib/route.ts'
import { now } from '../../lib/session.ts'
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
  const [told, setTold] = useState<string | null>(null)
  const saving = useSaving()
  const encoder = encoders.find(({ id }) => id === encoderId) ?? encoders[0]!
  const { name, isReady, reason, messages, dispenserId } = encoder.attributes
  const stepAt = ({ id }: Resource<Controller>, body: object) =>
    send('POST', `/api/config/v1/access-controllers/${id}/actions/commission-step`, {
      body,
      timeoutMs: 120_000,
    })
  const step = (body: object) => stepAt(encoder, body)
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
  const isOwn = test?.at === sessionStorage.getItem(begunHere)
  // The page was left while a card was made. The outcome is unknown, so the key is revoked first.
  const endLeft = () =>
    saving.run(async () => {
      await end()
      await forget()
      setTold(t.value.test.interrupted)
    })
  useEffect(() => {
    if (test?.phase === 'making' && isOwn) endLeft()
  }, [])
  const tryCard = () =>
    saving.run(async () => {
      setTold(null)
      await step({ step: 'card', unitName: room })
      setTold(t.value.test.erased)
    })
  const makeCard = () =>
    saving.run(async () => {
      setTold(null)
      const at = new Date(now()).toISOString()
      sessionStorage.setItem(begunHere, at)
      await note({ encoder: name, room, phase: 'making', at })
      const { meta } = await step({ step: 'door-card', unitName: room }).catch(async (error: unknown) => {
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
    told !== null && notice('ok', told),
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
    test?.phase === 'opened' &&
      notice(
        'ok',
        t.value.test.opened(test.room),
        el.p(null, el.a({ href: linkTo('report') }, t.value.test.toReport)),
      ),
    test?.phase === 'shut' &&
      notice('error', t.value.test.shut(test.room), el.p(null, t.value.test.shutAdvice)),
  )
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
