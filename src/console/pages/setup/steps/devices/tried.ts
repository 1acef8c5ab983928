import { useState } from 'preact/hooks'
import { notice } from '../../../lib/controls/controls.ts'
import { el, type View } from '../../../lib/controls/el.ts'
import { t } from '../texts.ts'
import { probed } from './probing.ts'

interface Address {
  driver: string
  path: string
}

interface TriedAddress {
  /** Whether the address may be saved: the device has answered, or a person wants it although it has not. */
  isUsable(at: Address): Promise<boolean>
  /** Why this address was not saved; null when nothing is wrong with it, as far as it was tried. */
  notice(at: Address): View | null
  /** The label of the button that saves, which says that it saves an address without an answer. */
  label(usual: string, at: Address): string
}

/**
 * Has the box try an address before it is saved. Without an answer the reason is shown, and a second press saves it: the device
 * may be connected later. The form says before the first press whether the device moves.
 */
export function useTriedAddress(): TriedAddress {
  const [silent, setSilent] = useState<{ at: string; reason: string } | null>(null)
  const isSilent = (at: Address) => silent?.at === keyOf(at)
  return {
    async isUsable(at) {
      if (isSilent(at)) return true
      setSilent(null)
      const { asked } = await probed({ ...at, mayMove: true })
      const [answer] = asked
      if (!answer || answer.isThere) return true
      setSilent({ at: keyOf(at), reason: answer.problem ?? t.value.devices.noAnswer })
      return false
    },
    notice: (at) =>
      isSilent(at) ? notice('warning', t.value.devices.silent, el.p(null, silent!.reason)) : null,
    label: (usual, at) => (isSilent(at) ? t.value.devices.saveSilent : usual),
  }
}

const keyOf = ({ driver, path }: Address) => `${driver} ${path}`
