import { useState } from 'preact/hooks'
import { button, notice } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { useSaving } from '../../apply.ts'
import { t } from '../texts.ts'
import { identityText } from './connected.ts'
import { type Probes, probed } from './probing.ts'

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
      const answer = await probed({ path, mayMove })
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
