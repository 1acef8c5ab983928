import { signal } from '@preact/signals'
import { chime } from '../../lib/controls/chime.ts'
import { button } from '../../lib/controls/controls.ts'
import type { View } from '../../lib/controls/el.ts'
import { may } from '../../lib/server/session.ts'
import { t } from '../texts.ts'

const kept = 'nightporter.sound'
const isSoundOn = signal(localStorage.getItem(kept) !== 'off')

function setSound(on: boolean): void {
  isSoundOn.value = on
  localStorage.setItem(kept, on ? 'on' : 'off')
}

/** Sounds for a guest who waits, unless this browser is muted. */
export function soundForGuest(): void {
  if (isSoundOn.value) chime(0.2)
}

/** The switch of the sound, which shows its state. */
export function SoundSwitch(): View | null {
  if (!may('hand-overs.read')) return null
  const isOn = isSoundOn.value
  return button('', {
    onClick: () => setSound(!isOn),
    icon: isOn ? 'sound' : 'mute',
    name: isOn ? t.value.waiting.soundOn : t.value.waiting.soundOff,
  })
}
