import type { StartedProperty } from './first-start.ts'

interface StartNotes {
  demo: boolean
  pairingCode: string | null
  /** Whether the start made a new property by request while the old one is complete. */
  isFlagIdle: boolean
  /** The settings that the first start assumed, and how a person confirms them; null when it assumed none. */
  assumed: string | null
}

/** Returns the messages for people at the start, one a line. */
export function notesOf(
  house: StartedProperty,
  { demo, pairingCode, isFlagIdle, assumed }: StartNotes,
): string[] {
  return [
    ...(isFlagIdle
      ? [
          '--found-anew had no effect: the data folder holds a complete property. Leave the option out at the next start.',
        ]
      : []),
    ...(demo
      ? ['This is the sample property: from this machine, the token "demo" is accepted as an administrator.']
      : []),
    ...(assumed ? [assumed] : []),
    ...(pairingCode ? [codeLine(pairingCode)] : []),
    ...(house.isSample ? ['The dispenser and the encoder are simulated.'] : []),
  ]
}

/** Returns the line that shows a pairing code on the console. */
export function codeLine(code: string): string {
  return `Pairing code ${code}. It is valid for 15 minutes.`
}
