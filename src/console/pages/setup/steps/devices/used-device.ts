import { h } from 'preact'
import { button, chip, type Kind, notice } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { usePassing } from '../../../lib/controls/passing.ts'
import { type Resource, send } from '../../../lib/server/api.ts'
import { useSaving } from '../../apply.ts'
import { t } from '../texts.ts'
import { ChangeDevice } from './change-device.ts'
import { type Configured, type Driver, identityText } from './connected.ts'

const stateKinds = {
  online: 'ok',
  starting: 'info',
  closed: 'info',
  offline: 'error',
} as const satisfies Record<string, Kind>

interface UsedOptions {
  device: Configured
  drivers: readonly Resource<Driver>[]
  saved: () => void
}

/** A configured device, with a button to test it, and the form that edits it. */
export function UsedDevice({ device, drivers, saved }: UsedOptions): View {
  const { id, kind, name, driver, state, identity } = device
  const saving = useSaving()
  const [answer, setAnswer] = usePassing()
  const ask = () =>
    saving.run(async () => {
      setAnswer(null)
      if (kind === 'dispenser') {
        await send('PUT', `/api/v2/access/dispensers/${id}/status/initialize`, { timeoutMs: 120_000 })
        return setAnswer(t.value.devices.moved)
      }
      const path = `/api/config/v1/access-controllers/${id}/actions/commission-step`
      const { meta } = await send('POST', path, { body: { step: 'read' }, timeoutMs: 60_000 })
      setAnswer(t.value.devices.card(String(meta?.uid)))
    })
  const label = kind === 'dispenser' ? t.value.devices.initialise : t.value.devices.readCard
  return el.div(
    { class: 'stack' },
    el.p(
      { class: 'row' },
      el.strong(null, name),
      driver,
      chip(stateKinds[state], t.value.devices.states[state]),
      identityText(identity),
    ),
    saving.problem && notice(saving.problem.code === 'no-card' ? 'info' : 'error', saving.problem.message),
    answer !== null && notice('ok', answer),
    el.p(
      { class: 'row' },
      button(label, { onClick: ask, isBusy: saving.isBusy, name: `${label}: ${name}` }),
      kind === 'dispenser' && el.span(null, t.value.devices.movesMotor),
    ),
    h(ChangeDevice, { id, name, kind, drivers, saved }),
  )
}
