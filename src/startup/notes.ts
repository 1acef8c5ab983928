import type { StartedProperty } from './first-start.ts'

/** Returns the messages for people at the start, one a line. */
export function notesOf(
  house: StartedProperty,
  { demo, pairingCode, isFlagIdle }: { demo: boolean; pairingCode: string | null; isFlagIdle: boolean },
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
    ...(pairingCode ? [codeLine(pairingCode)] : []),
    ...(house.isSample ? ['The dispenser and the encoder are simulated.'] : []),
  ]
}

/** Returns the line that shows a pairing code on the console. */
export function codeLine(code: string): string {
  return `Pairing code ${code}. It is valid for 15 minutes.`
}
