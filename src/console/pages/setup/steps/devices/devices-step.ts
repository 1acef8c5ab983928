import { h } from 'preact'
import { chip, loadingBar, notice } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { failure } from '../../../lib/controls/failure.ts'
import type { Resource } from '../../../lib/server/api.ts'
import { useRead, useReadEvery } from '../../../lib/server/read.ts'
import type { House, StepOptions } from '../../house.ts'
import { t } from '../texts.ts'
import { ChangeDevice } from './change-device.ts'
import { type Connected, type Driver, readDevices, type Unaddressed } from './connected.ts'
import { PaymentTerminals } from './payment-terminals.ts'
import { UseByAddress, UseDevice } from './use-device.ts'
import { UsedDevice } from './used-device.ts'

const lookEveryMs = 4_000

/**
 * The connected devices, their possible drivers, and whether they answer. A newly connected device appears
 * automatically.
 */
export function DevicesStep({ house, changed }: StepOptions): View {
  const { data, problem, isLoading, readAgain } = useRead('devices', readDevices, [
    'controller.',
    'dispenser.',
  ])
  useReadEvery(lookEveryMs, readAgain)
  const saved = () => {
    readAgain()
    changed()
  }
  const isWithoutLocks = (house.document.lockSystems ?? []).length === 0
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.devices.why),
    isWithoutLocks && notice('warning', t.value.devices.locksFirst),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data?.connected.length === 0 &&
      notice('info', t.value.devices.none, el.p(null, t.value.devices.whatToLookFor)),
    data?.connected.map((each) =>
      h(Found, { key: each.id, device: each, house, drivers: data.drivers, saved }),
    ),
    data && data.unaddressed.length > 0 && h(WithoutAddress, { ...data, saved }),
    data && h(UseByAddress, { drivers: data.drivers, house, saved, isFirst: data.connected.length === 0 }),
    data && h(PaymentTerminals, { drivers: data.terminals, house, saved: changed }),
  )
}

interface WithoutAddressOptions {
  unaddressed: readonly Unaddressed[]
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

/** The devices without an address, which are edited and removed as the others are. */
function WithoutAddress({ unaddressed, drivers, saved }: WithoutAddressOptions): View {
  const text = t.value.devices
  return el.section(
    { class: 'stack', 'aria-label': text.withoutAddress },
    el.h2(null, text.withoutAddress),
    el.p(null, text.whyWithoutAddress),
    el.ul(
      { class: 'rows' },
      unaddressed.map(({ id, kind, name, externalCode }) =>
        el.li(
          { key: id, class: 'stack' },
          el.p({ class: 'row' }, el.strong(null, name), externalCode),
          h(ChangeDevice, { id, kind, name, drivers, saved }),
        ),
      ),
    ),
  )
}

interface FoundOptions {
  device: Resource<Connected>
  house: House
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

function Found({ device: { id, attributes }, house, drivers, saved }: FoundOptions): View {
  const { usb, node, equals, candidates, configured, isPresent } = attributes
  const title = [usb?.manufacturer, usb?.product].filter(Boolean).join(' ') || node || id
  const likely = candidates.map(({ driver }) => driver)
  return el.article(
    { class: 'device', 'aria-label': title },
    el.div(
      { class: 'row' },
      el.h2(null, title),
      isPresent === false && chip('error', t.value.devices.unplugged, 'alarm'),
    ),
    el.p({ class: 'quiet' }, [usb?.port, id].filter((each) => each && each !== title).join(', ')),
    equals > 1 && notice('info', t.value.devices.equals(equals)),
    configured.map((each) => h(UsedDevice, { key: each.id, device: each, drivers, saved })),
    configured.length === 0 &&
      h(UseDevice, {
        path: id,
        house,
        saved,
        drivers: drivers.filter((each) => likely.includes(each.id)),
      }),
  )
}
