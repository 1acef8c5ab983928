import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, getAll, type Resource, send } from '../../lib/api.ts'
import { button, Choice, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { timeText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import { goTo, linkTo } from '../../lib/route.ts'
import { now } from '../../lib/session.ts'
import { useSaving } from '../apply.ts'
import type { StepOptions } from '../house.ts'
import { remember, remembered, type Test } from '../house.ts'
import { t } from './texts.ts'

interface Encoder {
  name: string
  keyType: string
  dispenserId: string | null
  isReady: boolean
  reason: string | null
}

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
        get<Resource<Encoder>[]>('/api/v2/access/controllers', { signal }),
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

interface TrialOptions {
  encoders: readonly Resource<Encoder>[]
  units: readonly Resource<Unit>[]
  changed: () => void
}

function Trial({ encoders, units, changed }: TrialOptions): View {
  const { test } = remembered.value
  const [encoderId, setEncoder] = useState(encoders[0]!.id)
  const [room, setRoom] = useState(test?.room ?? units[0]!.attributes.name)
  const [told, setTold] = useState<string | null>(null)
  const saving = useSaving()
  const encoder = encoders.find(({ id }) => id === encoderId) ?? encoders[0]!
  const { name, isReady, reason, dispenserId } = encoder.attributes
  const step = (body: object) =>
    send('POST', `/api/config/v1/access-controllers/${encoder.id}/actions/commission-step`, {
      body,
      timeoutMs: 120_000,
    })
  const note = (part: Partial<Test>) =>
    remember({
      test: {
        encoder: name,
        room,
        phase: 'making',
        uid: null,
        at: new Date(now()).toISOString(),
        ...remembered.value.test,
        ...part,
      },
    })
  // The page was left while a card was made: nobody knows whether it lies there, so that its key ends first.
  useEffect(() => {
    if (test?.phase !== 'making') return
    saving.run(async () => {
      await step({ step: 'end' })
      remember({ test: null })
      setTold(t.value.test.interrupted)
    })
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
      note({ encoder: name, room, phase: 'making' })
      try {
        const { meta } = await step({ step: 'door-card', unitName: room })
        note({ phase: 'at-door', uid: String(meta?.uid ?? ''), at: String(meta?.validUntil) })
      } catch (error) {
        remember({ test: null })
        throw error
      }
    })
  const answer = (phase: 'opened' | 'shut') =>
    saving.run(
      async () => {
        await step({ step: 'end' })
        note({ phase, at: new Date(now()).toISOString() })
      },
      () => {
        changed()
        if (phase === 'opened') goTo('report')
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
    !isReady && reason && notice('warning', reason),
    saving.others([]).map((each) => notice('error', each)),
    told !== null && notice('ok', told),
    test?.phase === 'at-door'
      ? doorQuestion(test, answer, saving.isBusy)
      : el.p(
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
