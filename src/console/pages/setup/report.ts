import { button } from '../lib/controls.ts'
import { el, type View } from '../lib/el.ts'
import { momentText } from '../lib/format.ts'
import { now, session } from '../lib/session.ts'
import {
  type Address,
  type House,
  remembered,
  type StepName,
  stateOf,
  stepNames,
  type Test,
} from './house.ts'
import { t } from './texts.ts'

/** A page to print: what was set up, and the proof that a door opened. */
export function Report({ house }: { house: House }): View {
  const { property } = house.document
  return el.article(
    { class: 'stack report' },
    el.h1(null, t.value.reportOf(property?.name ?? t.value.notYet)),
    el.p(null, t.value.reportMade(session.value?.name ?? '', momentText(now()))),
    el.dl(
      null,
      stepNames.flatMap((step) => [
        el.dt({ key: `${step}-name` }, t.value.steps[step]),
        el.dd(
          { key: step },
          linesOf(step, house).map((line) => el.p({ key: line }, line)),
        ),
      ]),
    ),
    el.p({ class: 'signature' }, t.value.signature),
    el.p(
      { class: 'row no-print' },
      button(t.value.print, { onClick: () => print(), kind: 'main', icon: 'print' }),
    ),
  )
}

function linesOf(step: StepName, house: House): string[] {
  const { document: own } = house
  const lines = {
    house: () => [
      ...(own.property ? [addressLine(own.property.address)] : []),
      [
        house.timeZone,
        own.settings?.country,
        own.settings?.checkInTime ?? '15:00',
        own.settings?.checkOutTime ?? '11:00',
      ]
        .filter(Boolean)
        .join(', '),
    ],
    rooms: () => [
      typeof own.rooms === 'string' ? own.rooms : t.value.roomsOf(own.rooms?.length ?? 0),
      ...(own.unitTypes ?? []).map(({ code, name }) => `${code}: ${name}`),
    ],
    locks: () =>
      (own.lockSystems ?? []).map(
        ({ name, driver, unitMapping = [] }) => `${name}: ${driver}, ${t.value.locksOf(unitMapping.length)}`,
      ),
    devices: () =>
      [...(own.dispensers ?? []), ...(own.encoders ?? [])].map(
        ({ name, device }) => `${name}: ${[device?.driver, device?.path].filter(Boolean).join(', ')}`,
      ),
    pms: () =>
      (own.pms ?? [])
        .filter(({ adapter }) => adapter !== 'standalone')
        .map(({ name, adapter }) => `${name}: ${adapter}`),
    network: () => own.network?.names ?? [],
    staff: () => (house.accounts ?? []).map(({ attributes: { name, role } }) => `${name}: ${role}`),
    test: () => [testLine(remembered.value.test)],
  }[step]()
  const state = stateOf(step, house)
  if (step === 'test' || lines.length > 0) return lines
  return [state === 'skipped' ? t.value.states.skipped : t.value.notYet]
}

function addressLine({ line1, postalCode, city, country }: Address): string {
  return [line1, [postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')
}

function testLine(test: Test | null): string {
  if (test?.phase !== 'opened' && test?.phase !== 'shut') return t.value.testNone
  const say = test.phase === 'opened' ? t.value.testOpened : t.value.testShut
  return say(test.room, test.encoder, momentText(test.at))
}
