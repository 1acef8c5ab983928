import { type ComponentType, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, chip, loadingBar, notice } from '../lib/controls/controls.ts'
import { classes, el, type View } from '../lib/controls/el.ts'
import { failure } from '../lib/controls/failure.ts'
import { Guarded } from '../lib/controls/guard.ts'
import { icon } from '../lib/controls/icons.ts'
import { later, loadLater } from '../lib/controls/later.ts'
import { OtherTime } from '../lib/controls/other-time.ts'
import { goTo, linkTo, place } from '../lib/controls/route.ts'
import { useTask } from '../lib/controls/task.ts'
import { useTitle } from '../lib/controls/title.ts'
import { timeText } from '../lib/language/format.ts'
import { isLineDead, isLive } from '../lib/server/line.ts'
import { listen } from '../lib/server/live.ts'
import { useRead } from '../lib/server/read.ts'
import { lock, now, session, signOut } from '../lib/server/session.ts'
import { LanguageChoice, StillOpen } from '../sign-in/sign-in.ts'
import {
  type House,
  othersAtWork,
  readHouse,
  type StepName,
  type StepOptions,
  saveProgress,
  stateOf,
  stepNames,
} from './house.ts'
import { HouseStep } from './steps/house-step.ts'
import { LocksStep } from './steps/locks-step.ts'
import { NetworkStep } from './steps/network-step.ts'
import { PmsStep } from './steps/pms-step.ts'
import { RoomsStep } from './steps/rooms-step.ts'
import { StaffStep } from './steps/staff-step.ts'
import { TestStep } from './steps/test-step.ts'
import { t } from './texts.ts'

const DevicesStep = later<StepOptions>(
  async () => (await import('./steps/devices/devices-step.ts')).DevicesStep,
)
const BackupStep = later<StepOptions>(async () => (await import('./system/backup-step.ts')).BackupStep)
const Report = later<{ house: House }>(async () => (await import('./report.ts')).Report)
const System = later(async () => (await import('./system/system.ts')).System)

const steps: Record<StepName, ComponentType<StepOptions>> = {
  house: HouseStep,
  rooms: RoomsStep,
  locks: LocksStep,
  devices: DevicesStep,
  pms: PmsStep,
  network: NetworkStep,
  staff: StaffStep,
  test: TestStep,
  backup: BackupStep,
}

const watched = ['system.', 'controller.', 'dispenser.', 'unit', 'property', 'account', 'station']

/** The frame of the steps: the present step, the completed steps, and the other people at work. */
export function Frame(): View {
  const { data: house, problem, isLoading, readAgain } = useRead('house', readHouse, watched)
  const { screen } = place.value
  useEffect(() => {
    // The first screen is read first.
    const timer = setTimeout(() => void loadLater(), 2_000)
    return () => clearTimeout(timer)
  }, [])
  const isOther = screen === 'system' || screen === 'report'
  const step = stepNames.find((each) => each === screen) ?? (house ? firstOpen(house) : null)
  // A save must not move the page to the next step while a person reads its result.
  useEffect(() => {
    if (screen === '' && step !== null) goTo(step, [], true)
  }, [screen, step])
  useTitle(screen === 'system' ? null : isOther ? t.value[screen] : step ? t.value.steps[step] : undefined)
  const isRead = house !== undefined
  useEffect(() => {
    if (isRead) void loadLater()
  }, [isRead])
  return el.div(
    { class: classes('frame', isLineDead.value && 'no-line') },
    el.a({ class: 'skip', href: '#main' }, t.value.skipToMain),
    top(),
    navigation(house, isOther ? screen : step),
    el.main(
      { id: 'main', class: 'main setup-main', tabIndex: -1 },
      h(StillOpen, {}),
      h(OtherTime, {}),
      loadingBar(isLoading && !house),
      problem && failure(problem, readAgain),
      h(Others, {}),
      h(
        Guarded,
        { key: `${screen} ${step}` },
        house && !isOther && step !== null && stepOf(step, house, readAgain),
        screen === 'system' && h(System, {}),
        screen === 'report' && house && h(Report, { house }),
      ),
    ),
  )
}

function firstOpen(house: House): StepName {
  return stepNames.find((each) => ['open', 'missing'].includes(stateOf(each, house))) ?? 'test'
}

function stepOf(step: StepName, house: House, changed: () => void): View {
  const at = stepNames.indexOf(step)
  const following = stepNames[at + 1]
  const next = () => {
    changed()
    goTo(following ?? 'report')
    document.getElementById('main')?.focus()
  }
  const state = stateOf(step, house)
  return el.section(
    { class: 'stack step', 'aria-label': t.value.steps[step] },
    el.p({ class: 'quiet' }, t.value.stepOf(at + 1, stepNames.length)),
    el.h1(null, t.value.steps[step]),
    h(steps[step], { key: step, house, changed, next }),
    el.p(
      { class: 'row' },
      at > 0 && button(t.value.back, { onClick: () => goTo(stepNames[at - 1]!), icon: 'left' }),
      state === 'done'
        ? button(t.value.next, { onClick: next, icon: 'right' })
        : h(Skip, { key: step, step, next }),
    ),
  )
}

/** Leaves a step out, also for the next person. */
function Skip({ step, next }: { step: StepName; next: () => void }): View {
  const task = useTask()
  const skip = () =>
    task.run('skip', async () => {
      await saveProgress(({ skipped }) => ({ skipped: [...new Set([...skipped, step])] }))
      next()
    })
  return el.span(
    { class: 'row' },
    button(t.value.skip, { onClick: skip, icon: 'right', isBusy: task.busy !== null }),
    task.refusal && notice('error', task.refusal),
  )
}

function top(): View {
  return el.header(
    { class: 'top' },
    el.strong(null, t.value.title),
    el.span({ class: 'grow' }),
    isLive.value ? chip('ok', t.value.live, 'line') : chip('warning', t.value.noLine, 'noline'),
    el.span({ class: 'row' }, icon('person'), session.value?.name),
    button(t.value.lock, { onClick: () => void lock(), icon: 'lock' }),
    button(t.value.signOut, { onClick: () => void signOut(), icon: 'out' }),
  )
}

function navigation(house: House | undefined, shown: string | null): View {
  const link = (path: string, text: string, ...more: (View | null)[]) =>
    el.a(
      { key: path, href: linkTo(path), ...(path === shown && { 'aria-current': 'page' as const }) },
      ...more,
      text,
    )
  return el.nav(
    { class: 'side', 'aria-label': t.value.title },
    house && el.p({ class: 'quiet' }, t.value.doneOf(countDone(house), stepNames.length)),
    stepNames.map((each, index) =>
      link(each, `${index + 1} ${t.value.steps[each]}`, house ? markOf(each, house) : null),
    ),
    link('report', t.value.report, icon('print')),
    link('system', t.value.system, icon('wrench')),
    el.a({ href: '/desk' }, icon('today'), t.value.toDesk),
    el.a({ href: '/doors' }, icon('help'), t.value.doors),
    h(LanguageChoice, {}),
  )
}

const countDone = (house: House) => stepNames.filter((each) => stateOf(each, house) === 'done').length

function markOf(step: StepName, house: House): View {
  const state = stateOf(step, house)
  const name = ({ done: 'check', skipped: 'right', open: 'clock', missing: 'alarm' } as const)[state]
  return el.span(
    { class: `mark ${state}` },
    icon(name),
    el.span({ class: 'hidden-text' }, `${t.value.states[state]}: `),
  )
}

/** Shows that another person is setting the box up at the same time. */
function Others(): View | null {
  const { data: names } = useRead(
    'others',
    (signal) => othersAtWork(session.value?.accountId ?? null, now(), signal),
    ['session'],
  )
  const [last, setLast] = useState<{ name: string; at: string } | null>(null)
  useEffect(
    () =>
      listen(({ type, data }) => {
        if (type !== 'system.setup-applied') return
        const by = data?.by as { id: string; name: string | null } | undefined
        if (by && by.id !== session.value?.accountId) setLast({ name: by.name ?? by.id, at: timeText(now()) })
      }),
    [],
  )
  if (last)
    return notice('warning', t.value.otherChanged(last.name, last.at), el.p(null, t.value.otherAdvice))
  if (!names || names.length === 0) return null
  return notice('info', t.value.others(names.join(', ')), el.p(null, t.value.otherAdvice))
}
