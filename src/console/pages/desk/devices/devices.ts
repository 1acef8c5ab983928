import { h } from 'preact'
import { get, type Resource } from '../../lib/api.ts'
import { asOfText, chip, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { type Message, textOf } from '../../lib/message.ts'
import { useRead } from '../../lib/read.ts'
import { may } from '../../lib/session.ts'
import { type DispenserRow, DispenserTile } from './dispenser.ts'
import { type ControllerRow, EncoderTile } from './encoder.ts'
import { t } from './texts.ts'

interface Check {
  status: 'pass' | 'warn' | 'fail'
  componentId?: string
  messages: Message[]
  output: string | null
  time: string
}

interface Status {
  status: 'pass' | 'warn' | 'fail'
  checks: Record<string, Check[]>
}

interface Devices {
  alarms: { name: string; check: Check }[]
  passed: string[]
  dispensers: Resource<DispenserRow>[]
  controllers: Resource<ControllerRow>[]
}

async function readDevices(signal: AbortSignal): Promise<Devices> {
  const [status, dispensers, controllers] = await Promise.all([
    get<Resource<Status>>('/api/v2/status', { signal }),
    get<Resource<DispenserRow>[]>('/api/v2/access/dispensers', { signal }),
    get<Resource<ControllerRow>[]>('/api/v2/access/controllers', { signal }),
  ])
  const checks = Object.entries(status.data.attributes.checks).flatMap(([name, all]) =>
    all.map((check) => ({ name, check })),
  )
  const isAlarm = ({ check }: (typeof checks)[number]) => check.status !== 'pass'
  return {
    alarms: checks
      .filter(isAlarm)
      .sort((a, b) => Number(b.check.status === 'fail') - Number(a.check.status === 'fail')),
    passed: [...new Set(checks.filter((each) => !isAlarm(each)).map(({ name }) => name))],
    dispensers: dispensers.data,
    controllers: controllers.data,
  }
}

const watched = ['dispenser.', 'controller.', 'system.', 'pms.', 'card.', 'access-provider.', 'key-service.']

/** What is wrong, with what to do about it, and every device. An alarm stays until its cause is gone. */
export function DevicesScreen(): View {
  const { data, problem, isLoading, asOf, readAgain } = useRead('devices', readDevices, watched)
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    data && data.alarms.length === 0 && notice('ok', t.value.allWell),
    data &&
      el.ul(
        { class: 'cases' },
        data.alarms.map(({ name, check }) => alarm(name, check, data)),
      ),
    data?.dispensers.length === 0 &&
      data.controllers.length === 0 &&
      el.p(null, t.value.none, ' ', el.a({ href: '/setup' }, t.value.toSetup)),
    el.div(
      { class: 'device-grid' },
      data?.dispensers.map((each) => h(DispenserTile, { key: each.id, dispenser: each, changed: readAgain })),
      data?.controllers.map((each) => h(EncoderTile, { key: each.id, controller: each })),
    ),
    data &&
      data.passed.length > 0 &&
      el.p({ class: 'quiet' }, t.value.passed, ' ', data.passed.map(checkName).join(', ')),
  )
}

function alarm(name: string, check: Check, { dispensers, controllers }: Devices): View {
  const device = [...dispensers, ...controllers].find(({ id }) => id === check.componentId)
  return el.li(
    { key: `${name} ${check.componentId}`, class: 'case' },
    el.div(
      { class: 'row' },
      chip(
        check.status === 'fail' ? 'error' : 'warning',
        check.status === 'fail' ? t.value.fails : t.value.warns,
        'alarm',
      ),
      el.h2(null, device?.attributes.name ?? checkName(name)),
      el.span({ class: 'quiet' }, momentText(check.time)),
    ),
    el.p(null, textOf(check.messages) || check.output || (may('diagnostics.read') ? '' : t.value.askAdmin)),
  )
}

/** The checks by their names in the status document. */
function checkName(name: string): string {
  return t.value.checks[name as keyof typeof t.value.checks] ?? name
}
