import { useState } from 'preact/hooks'
import { send } from '../../../lib/api.ts'
import { button, notice } from '../../../lib/controls.ts'
import { el, type View } from '../../../lib/el.ts'
import { useSaving } from '../../apply.ts'
import { t } from '../texts.ts'
import { type Identity, identityText } from './connected.ts'

/** The answer of a probe: the drivers that were tried, and those that would have moved a motor. */
interface Probes {
  asked: { driver: string; isThere: boolean; identity: Identity | null; problem: string | null }[]
  left: string[]
}

/** A probe tries several protocols at several speeds, one after another. */
const mostMs = 300_000

interface ProbeOptions {
  path: string
  /** Called with the driver that was answered. */
  found: (driver: string) => void
}

/** Asks a device what it is, before its driver is chosen. A motor turns only after a second button that says so. */
export function ProbePart({ path, found }: ProbeOptions): View {
  const saving = useSaving()
  const [probes, setProbes] = useState<Probes | null>(null)
  const ask = (mayMove: boolean) =>
    saving.run(async () => {
      setProbes(null)
      const { meta } = await send('POST', '/api/config/v1/connected-devices/actions/probe', {
        body: { path, mayMove },
        timeoutMs: mostMs,
      })
      const answer = meta as unknown as Probes
      setProbes(answer)
      const there = answer.asked.find(({ isThere }) => isThere)
      if (there) found(there.driver)
    })
  const text = t.value.devices
  const there = probes?.asked.find(({ isThere }) => isThere)
  const motor = probes !== null && !there && probes.left.length > 0
  return el.div(
    { class: 'stack' },
    saving.problem && notice('error', saving.problem.message),
    there &&
      notice(
        'ok',
        text.answersAs([there.driver, identityText(there.identity)].filter(Boolean).join(': ')),
        there.problem !== null && el.p(null, there.problem),
      ),
    probes && !there && notice('info', text.noAnswer),
    motor && notice('warning', text.movesMotor),
    el.p(
      { class: 'row' },
      button(text.probe, { onClick: () => ask(false), isBusy: saving.isBusy, isDisabled: path === '' }),
      motor && button(text.probeMoving, { onClick: () => ask(true), isBusy: saving.isBusy }),
    ),
  )
}
