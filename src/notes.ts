import type { House } from './found-house.ts'

/** Returns the messages for people at the start, one a line. */
export function notesOf(
  house: House,
  { demo, pairingCode, isFlagIdle }: { demo: boolean; pairingCode: string | null; isFlagIdle: boolean },
): string[] {
  return [
    ...(isFlagIdle
      ? ['--found-anew does nothing here: there is a property, with its key. Start without it the next time.']
      : []),
    ...(demo
      ? [
          'The token "demo" is accepted from this machine, as an administrator, because this is the sample property.',
        ]
      : []),
    ...(pairingCode ? [codeLine(pairingCode)] : []),
    ...(house.isSample ? ['Dispenser and encoder are simulated.'] : []),
  ]
}

/** Returns the line that shows a pairing code on the console. */
export function codeLine(code: string): string {
  return `Pairing code ${code}, for 15 minutes.`
}
