import { button } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { momentText } from '../lib/language/format.ts'
import { getList, type Resource } from '../lib/server/api.ts'
import { useRead } from '../lib/server/read.ts'
import { now, session } from '../lib/server/session.ts'
import { type Address, type House, progress, type StepName, stateOf, stepNames, type Test } from './house.ts'
import type { Station } from './steps/staff-step.ts'
import { t as stepTexts } from './steps/texts.ts'
import { t } from './texts.ts'

/** A page to print: the result of the set-up, and the proof that a door opened. */
export function Report({ house }: { house: House }): View {
  const { data: stations = [] } = useRead(
    'stations',
    async (signal) => (await getList<Station>('/api/config/v1/stations?page[size]=100', { signal })).data,
    ['station'],
  )
  const { property } = house.document
  return el.article(
    { class: 'stack report' },
    el.h1(null, t.value.reportOf(property?.name ?? t.value.notYet)),
    el.p(null, t.value.reportMade(session.value?.name ?? '', momentText(now()))),
    el.dl(
      null,
      stepNames.flatMap((step) => [
        el.dt(
          { key: `${step}-name` },
          t.value.steps[step],
          el.p({ class: 'quiet' }, t.value.states[stateOf(step, house)]),
        ),
        el.dd(
          { key: step },
          linesOf(step, house, stations).map((line) => el.p({ key: line }, line)),
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

function linesOf(step: StepName, house: House, stations: readonly Resource<Station>[]): string[] {
  const { document: own } = house
  const lines = {
    house: () => [
      ...(own.property ? [addressLine(own.property.address)] : []),
      [house.timeZone, own.settings?.country].filter(Boolean).join(', '),
      `${stepTexts.value.house.checkIn}: ${own.settings?.checkInTime ?? '15:00'}`,
      `${stepTexts.value.house.checkOut}: ${own.settings?.checkOutTime ?? '11:00'}`,
    ],
    rooms: () => [
      typeof own.rooms === 'string' ? own.rooms : t.value.roomsOf(own.rooms?.length ?? 0),
      ...(own.unitTypes ?? []).map(({ code, name }) => `${code}: ${name}`),
    ],
    locks: () => [
      ...(own.lockSystems ?? []).map(
        ({ name, driver, unitMapping = [] }) => `${name}: ${driver}, ${t.value.locksOf(unitMapping.length)}`,
      ),
      ...(own.keyServices ?? []).map(({ name, driver }) => `${name}: ${driver}`),
    ],
    devices: () => [
      ...[...(own.dispensers ?? []), ...(own.encoders ?? [])].map(
        ({ name, device }) => `${name}: ${[device?.driver, device?.path].filter(Boolean).join(', ')}`,
      ),
      ...(own.paymentTerminals ?? []).map(({ name, driver, path }) => `${name}: ${driver}, ${path}`),
    ],
    pms: () =>
      (own.pms ?? [])
        .filter(({ adapter }) => adapter !== 'standalone')
        .map(({ name, adapter }) => `${name}: ${adapter}`),
    network: () => own.network?.names ?? [],
    staff: () => [
      ...(house.accounts ?? []).map(
        ({ attributes: { name, role } }) =>
          `${name}: ${stepTexts.value.staff.roles[role as 'admin'] ?? role}`,
      ),
      ...stations.map(
        ({ attributes: { name, kind, enrolledAt } }) =>
          `${name}: ${stepTexts.value.staff.kinds[kind]}, ${enrolledAt ? stepTexts.value.staff.enrolled : stepTexts.value.staff.waits}`,
      ),
    ],
    test: () => [testLine(progress.value.test)],
    backup: () => backupLines(house),
  }[step]()
  return lines.length > 0 ? lines : [t.value.notYet]
}

function backupLines({ backup: { missing, madeAt, elsewhereAt } }: House): string[] {
  return [
    ...(madeAt ? [t.value.backupMade(momentText(madeAt))] : []),
    ...(elsewhereAt ? [t.value.backupElsewhere(momentText(elsewhereAt))] : []),
    ...missing,
  ]
}

function addressLine({ line1, postalCode, city, country }: Address): string {
  return [line1, [postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')
}

function testLine(test: Test | null): string {
  if (test?.phase !== 'opened' && test?.phase !== 'shut') return t.value.testNone
  const say = test.phase === 'opened' ? t.value.testOpened : t.value.testShut
  return say(test.room, test.encoder, momentText(test.at))
}
