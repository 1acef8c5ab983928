import { h } from 'preact'
import { useState } from 'preact/hooks'
import { asOfText, chip, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { linked } from '../../lib/controls/linked.ts'
import { linkTo } from '../../lib/controls/route.ts'
import { checkName } from '../../lib/language/check-texts.ts'
import { momentText } from '../../lib/language/format.ts'
import { getList, getOne, type Resource } from '../../lib/server/api.ts'
import { type Message, textOf } from '../../lib/server/message.ts'
import { useRead } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { pmsLines, usePms } from '../pms-line.ts'
import { t as desk } from '../texts.ts'
import { type DispenserRow, DispenserTile } from './dispenser.ts'
import { type ControllerRow, EncoderTile } from './encoder.ts'
import { type TerminalRow, TerminalTile } from './terminal.ts'
import { t } from './texts.ts'

interface Check {
  status: 'pass' | 'warn' | 'fail'
  componentId?: string
  componentName?: string
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
  terminals: Resource<TerminalRow>[]
}

async function readDevices(signal: AbortSignal): Promise<Devices> {
  const [status, dispensers, controllers, terminals] = await Promise.all([
    getOne<Status>('/api/v2/status', { signal }),
    getList<DispenserRow>('/api/v2/access/dispensers', { signal }),
    getList<ControllerRow>('/api/v2/access/controllers', { signal }),
    getList<TerminalRow>('/api/config/v1/payment-terminals?page[size]=100', { signal }),
  ])
  const checks = Object.entries(status.data.attributes.checks).flatMap(([name, all]) =>
    all.map((check) => ({ name, check })),
  )
  const isAlarm = ({ check }: (typeof checks)[number]) => check.status !== 'pass'
  const alarmed = new Set(checks.filter(isAlarm).map(({ name }) => name))
  return {
    alarms: checks
      .filter(isAlarm)
      .sort((a, b) => Number(b.check.status === 'fail') - Number(a.check.status === 'fail')),
    passed: Object.keys(status.data.attributes.checks).filter((name) => !alarmed.has(name)),
    dispensers: dispensers.data,
    controllers: controllers.data,
    terminals: terminals.data,
  }
}

const watched = [
  'dispenser.',
  'controller.',
  'system.',
  'pms.',
  'card.',
  'access-provider.',
  'key-service.',
  'payment-terminal.',
  'stay.payment-in-doubt',
  'payment.',
]

/** Every alarm with its remedy, and every device. An alarm stays until its cause is gone. */
export function DevicesScreen(): View {
  const { data, problem, isLoading, asOf, readAgain } = useRead('devices', readDevices, watched)
  const [wanted, setChosen] = useState<string | null>(null)
  const all = data?.dispensers ?? []
  const chosen = (all.find(({ id }) => id === wanted) ?? all[0])?.id
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    pmsLines(usePms()),
    data && data.alarms.length === 0 && notice('ok', t.value.allWell),
    data &&
      el.ul(
        { class: 'cases' },
        data.alarms.map(({ name, check }) => alarm(name, check)),
      ),
    data?.dispensers.length === 0 &&
      data.controllers.length === 0 &&
      data.terminals.length === 0 &&
      el.p(null, t.value.none, ' ', el.a({ href: '/setup' }, t.value.toSetup)),
    el.div(
      { class: 'device-grid' },
      data?.dispensers.map((each) =>
        h(DispenserTile, {
          key: each.id,
          dispenser: each,
          changed: readAgain,
          isChosen: each.id === chosen,
          choose: () => setChosen(each.id),
        }),
      ),
      data?.controllers.map((each) => h(EncoderTile, { key: each.id, controller: each })),
      data?.terminals.map((each) =>
        h(TerminalTile, { key: each.id, terminal: each, beside: besideOf(each, data) }),
      ),
    ),
    data &&
      data.passed.length > 0 &&
      el.p({ class: 'quiet' }, t.value.passed, ' ', data.passed.map(checkName).join(', ')),
  )
}

/** The name of the encoder beside which a terminal stands. */
function besideOf({ attributes }: Resource<TerminalRow>, { controllers }: Devices): string | null {
  return controllers.find(({ id }) => id === attributes.controllerId)?.attributes.name ?? null
}

function alarm(name: string, check: Check): View {
  return el.li(
    { key: `${name} ${check.componentId}`, class: 'case' },
    el.div(
      { class: 'row' },
      chip(
        check.status === 'fail' ? 'error' : 'warning',
        check.status === 'fail' ? t.value.fails : t.value.warns,
        'alarm',
      ),
      el.h2(null, check.componentName ?? checkName(name)),
      el.span({ class: 'quiet' }, momentText(check.time)),
    ),
    el.p(
      null,
      linked(textOf(check.messages) || check.output || (may('diagnostics.read') ? '' : t.value.askAdmin)),
    ),
    check.messages.some(({ code }) => code === 'pms-conflicts') &&
      el.p(null, el.a({ href: linkTo('conflicts') }, desk.value.screens.conflicts)),
  )
}
